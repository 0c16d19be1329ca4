/**
 * Test helpers that act as users, operators, the cron and the queue. Only this file knows the functions behind the
 * helpers, so a test does not change when those move. `env` has the deployment's settings.
 */
import type { Region } from "../contract/regions.ts";
import { createListLink } from "../worker/customer/my-requests/messages.ts";
import { putOnMarket as listInExchange } from "../worker/customer/rescue/store.ts";
import { pauseRegion, resumeRegion } from "../worker/exchange/commands.ts";
import { projectListing } from "../worker/leads/projection-commands.ts";
import { addPhoto } from "../worker/leads/photos/commands.ts";
import type { LeadRow } from "../worker/leads/rules.ts";
import { signStart } from "../worker/leads/quarantine/start-token.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";
import { runSweeps as runCron, SWEEPS } from "../worker/cron.ts";
import { hashingQueue, MAX_WAITING } from "../worker/identity/auth/passwords.ts";
import { deliver } from "../worker/messages/deliver-commands.ts";
import { erasePerson } from "../worker/operations/erasure/commands.ts";
import { personOf } from "../worker/operations/erasure/rules.ts";
import { raiseAttention } from "../worker/outbox/commands.ts";
import { type Context, contextOf } from "../worker/platform/context.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { db, testContext, testEnv } from "./client.ts";
import { insertPendingLead } from "./world.ts";

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;
type PendingLead = Parameters<typeof insertPendingLead>;

/** Lists a stored request on its market, as the Worker does after the response to the visitor. Idempotent. */
export async function putOnMarket(lead: LeadRow, env: Bindings = testEnv): Promise<void> {
  await listInExchange(contextOf(env), lead);
}

/** Stores a visitor's request and lists it. @returns the lead as it was before the listing */
export async function listed(overrides: PendingLead[1] = {}, now?: PendingLead[2]): Promise<LeadRow> {
  const lead = await insertPendingLead(db, overrides, now);
  await putOnMarket(lead);
  return lead;
}

/** Stores a photo of a request or a provider, as an upload does. */
export function storePhoto(...photo: Tail<Parameters<typeof addPhoto>>) {
  return addPhoto(testContext, ...photo);
}

/** Opens a form at a time. @param key the deployment's ORIGIN_HASH_KEY @returns the token that the form sends */
export const openForm = (key: string, at: number): string => signStart(key, at);

/** Shows a problem to the admins, as the sweeps do. */
export const raise = (kind: string, subjectId: string, detail: string, now: number): Promise<void> =>
  raiseAttention(db, kind, subjectId, detail, now);

/** Writes an exchange's decision to D1, as the exchange itself does after it. */
export function recordDecision(decision: Parameters<typeof projectListing>[1]) {
  return projectListing(db, decision, null);
}

/** Pauses a region, as the operator's script does. */
export function pause(region: Region, how: Partial<Parameters<typeof pauseRegion>[2]> = {}): Promise<void> {
  return pauseRegion(testContext, region, { reason: "Storm", by: null, now: Date.now(), ...how });
}

export function resume(region: Region, how: Partial<Parameters<typeof resumeRegion>[2]> = {}): Promise<void> {
  return resumeRegion(testContext, region, { by: null, now: Date.now(), ...how });
}

/** Runs all sweeps, as the cron does every minute. A failed sweep does not stop the others. */
export function runSweeps(now = Date.now(), env: Bindings = testEnv): Promise<void> {
  return runCron(env, now);
}

/** Runs one sweep of the cron, by its event name in the log. @throws the sweep's error */
export function runSweep<Event extends keyof typeof SWEEPS>(
  event: Event,
  now = Date.now(),
  env: Bindings = testEnv,
) {
  type Sweep = (context: Context, now: number) => ReturnType<(typeof SWEEPS)[Event]>;
  return (SWEEPS[event] as Sweep)(contextOf(env), now);
}

/** Fills the queue of passwords that wait to be hashed. @returns a function that empties it */
export function fillHashingQueue(): () => Promise<void> {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: MAX_WAITING }, () => hashingQueue.take(() => gate));
  return async () => {
    open();
    await Promise.all(waiting);
  };
}

/** Sends all due messages. @returns the number of messages by result */
export function deliverMessages(now = Date.now(), env: Bindings = testEnv): Promise<Record<string, number>> {
  return deliver(contextOf(env), null, now);
}

/** Creates the secret link that an email contains. @returns its token */
export function requestLink(
  leadId: string,
  now = Date.now(),
  options?: Parameters<typeof createRequestLink>[3],
): Promise<string> {
  return createRequestLink(db, leadId, now, options);
}

/** Creates the secret link to all requests of an address, which an email contains. @returns its token */
export const listLink = (email: string, now = Date.now()): Promise<string> => createListLink(db, email, now);

const MAX_ROUNDS = 10;

/** Erases a person as an operator's job does, in as many rounds as the job needs. @returns the last round's counts */
export async function erase(
  who: Partial<Parameters<typeof personOf>[0]>,
  now = Date.now(),
  env: Bindings = testEnv,
) {
  const person = personOf({ phone: null, email: null, ...who })!;
  for (let i = 0; i < MAX_ROUNDS; i++) {
    const round = await erasePerson(contextOf(env), person, "job_test", now);
    if (!round.more) return round;
  }
  throw new Error(`The erasure needs more than ${MAX_ROUNDS} rounds`);
}
