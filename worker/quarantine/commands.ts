import type { Act } from "../audit/act.ts";
import { and, eq, lt, inArray, sql } from "drizzle-orm";

import { WHICH_SUBURB } from "../../contract/address.ts";
import type { QuarantineReason } from "../../contract/quarantine.ts";
import type { ChallengeAction } from "../../contract/challenges.ts";
import type { LeadRequest } from "../../contract/leads.ts";
import { auditWhen } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { formStarts, leads, textMarks } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { findLead } from "../leads/queries.ts";
import type { LeadRow } from "../leads/rules.ts";
import { type Caller, OWN_MACHINE } from "../caller.ts";
import { hashPrefixes, type NetworkPrefixes } from "../network.ts";
import { resolvePlace } from "../suburbs/queries.ts";
import type { Place } from "../suburbs/rules.ts";
import { findAlike, type RequestKeys } from "./queries.ts";
import { requestKeys } from "./contact-keys.ts";
import { distanceOf, isHiddenNetwork, isProgram } from "./sender-rules.ts";
import { LIKENESS_WINDOW_MS, suspicions } from "./sign-rules.ts";
import { readStart, type Start, START_LIFETIME_MS } from "./start-token.ts";
import { textMarks as marksOf } from "./text-rules.ts";
import { askTurnstile } from "./turnstile.ts";

/** What was found out about a request: how it is found again, where it belongs, and why it is kept, if it is. */
export type Screened = {
  keys: RequestKeys;
  /** The suburb it is for; null when it names none we know. */
  place: Place | null;
  /** By which nearly the same words are found again. */
  marks: readonly number[];
  reasons: QuarantineReason[];
};

/** Where a request came from, and through which form. The address itself is stored nowhere. */
export type Sender = Pick<
  Caller,
  "address" | "prefixes" | "userAgent" | "language" | "country" | "networkOwner" | "viaPage"
> & {
  /** The host whose page was filled in. */
  hostname: string;
  form: ChallengeAction;
  now: number;
};

/** Returns what a lead keeps of its network: it can be counted, not read. Null without a key or a network. */
async function originKeyOf(secret: string | null, prefixes: NetworkPrefixes): Promise<string | null> {
  if (!secret || OWN_MACHINE.has(prefixes.by64)) return null;
  const { by48, by56, by64 } = await hashPrefixes(secret, prefixes);
  return [by48, by56, by64].join(".");
}

/**
 * Uses up a form's start. Of many requests that bring the same one, the first to come here has it.
 * @returns whether another request had it before
 */
async function isUsedUp(db: Db, start: Start | null, submissionId: string | undefined, now: number) {
  if (!start) return false;
  const spender = submissionId ?? crypto.randomUUID();
  const [row] = await db
    .insert(formStarts)
    .values({ nonce: start.nonce, submissionId: spender, usedAt: now })
    .onConflictDoUpdate({ target: formStarts.nonce, set: { usedAt: sql`${formStarts.usedAt}` } })
    .returning({ submissionId: formStarts.submissionId });
  return row!.submissionId !== spender;
}

/**
 * Looks a visitor's request over before it is stored.
 * @throws DomainError invalid_input when a quote is asked for where no suburb is named; D1's errors
 */
export async function screenRequest(env: Env, request: LeadRequest, sender: Sender): Promise<Screened> {
  const { screening, originHashKey } = settings(env);
  const { duplicateMs, requestsPerAddress } = screening;
  const { now, form, viaPage, country } = sender;
  const db = database(env.DB);
  const { suburbId, customerAddress: address, submissionId, startToken } = request;
  const [originKey, place, start] = await Promise.all([
    originKeyOf(originHashKey, sender.prefixes),
    resolvePlace(db, { suburbId, address }),
    originHashKey ? readStart(originHashKey, startToken, now) : null,
  ]);
  // Asked while it can be mended, and before anything of the form is used up.
  if (!place && form === "quote")
    throw new DomainError("invalid_input", WHICH_SUBURB, { customerAddress: WHICH_SUBURB });
  const keys = { ...requestKeys(request), originKey };
  const marks = marksOf(request.specificRequests);
  const wanted = { keys, suburbId: place?.id ?? null, marks, duplicateMs, requestsPerAddress, now };
  const [alike, challenge, isStartReused] = await Promise.all([
    findAlike(db, wanted),
    askTurnstile(env, request, sender),
    isUsedUp(db, start, submissionId, now),
  ]);
  const evidence = {
    ...alike,
    request,
    form,
    asker: {
      customerName: request.customerName,
      specificRequests: request.specificRequests ?? null,
      suburbId: place?.id ?? null,
      ...keys,
    },
    challenge,
    tookMs: start && now - start.at,
    isStartReused,
    signsStarts: originHashKey !== null,
    viaPage,
    isProgram: isProgram(sender.userAgent, sender.language),
    distance: distanceOf(country, sender.language),
    isHiddenNetwork: isHiddenNetwork(sender.networkOwner),
  };
  return { keys, place, marks, reasons: suspicions(evidence, screening) };
}

/** The statement that stores a lead's marks, once the lead itself is stored. */
export function markText(db: Db, leadId: string, marks: readonly number[], now: number) {
  const rows = sql`
    SELECT mark.value, ${now}, ${leadId} FROM json_each(${JSON.stringify(marks)}) AS mark
    WHERE EXISTS (SELECT 1 FROM leads WHERE id = ${leadId})`;
  return db.insert(textMarks).select(rows).onConflictDoNothing();
}

/** The statement that takes a lead's marks away, when its person is erased. */
export function unmarkText(db: Db, lead: Pick<LeadRow, "id" | "specificRequests">) {
  const marks = marksOf(lead.specificRequests);
  // As a list from outside: of none, SQLite would look through them all.
  const theirs = sql`${textMarks.mark} IN (SELECT value FROM json_each(${JSON.stringify(marks)}))`;
  return db.delete(textMarks).where(and(theirs, eq(textMarks.leadId, lead.id)));
}

const SWEEP_BATCH = 1_000;

/** Forgets starts nobody can use any more, and marks nobody compares with; so many a minute. */
export async function sweepScreening(env: Env, now: number): Promise<{ forgotten: number }> {
  const db = database(env.DB);
  const starts = db
    .select({ nonce: formStarts.nonce })
    .from(formStarts)
    .where(lt(formStarts.usedAt, now - START_LIFETIME_MS))
    .limit(SWEEP_BATCH);
  const marks = sql`SELECT rowid FROM text_marks WHERE at < ${now - LIKENESS_WINDOW_MS} LIMIT ${SWEEP_BATCH}`;
  const [gone, unmarked] = await db.batch([
    db.delete(formStarts).where(inArray(formStarts.nonce, starts)).returning({ nonce: formStarts.nonce }),
    db
      .delete(textMarks)
      .where(sql`rowid IN (${marks})`)
      .returning({ at: textMarks.at }),
  ]);
  return { forgotten: gone.length + unmarked.length };
}

const quarantined = (id: string) => and(eq(leads.id, id), eq(leads.listingState, "quarantined"));

async function review(
  db: Db,
  id: string,
  change: Partial<typeof leads.$inferInsert>,
  action: "lead.release" | "lead.drop",
  { actor, now, requestId }: Act,
): Promise<LeadRow> {
  const entry = {
    at: now,
    action,
    subjectType: "lead",
    subjectId: id,
    before: { listingState: "quarantined" },
    after: { listingState: change.listingState },
    requestId,
  };
  const [, [row]] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${leads} WHERE ${quarantined(id)})`, actor, entry),
    db
      .update(leads)
      .set({ ...change, reviewedByUserId: actor.userId, reviewedAt: now })
      .where(quarantined(id))
      .returning(),
  ]);
  if (row) return row;
  if (!(await findLead(db, id))) throw new DomainError("lead_not_found");
  throw new DomainError("lead_changed", "Someone has already decided on this lead. Please reload.");
}

/**
 * Lets a request go to the market after all; its time there starts now.
 * @returns the lead, `pending`; the caller puts it on the market, else the sweep does
 * @throws DomainError lead_not_found, lead_changed
 */
export function releaseLead(db: Db, id: string, lifetimeMs: number, by: Act): Promise<LeadRow> {
  return review(db, id, { listingState: "pending", expiresAt: by.now + lifetimeMs }, "lead.release", by);
}

/**
 * Keeps a request off the market for good. It stays stored.
 * @param reason for admins; it may speak of people, so the log does not have it
 * @throws DomainError lead_not_found, lead_changed
 */
export function dropLead(db: Db, id: string, reason: string | null, by: Act): Promise<LeadRow> {
  const change = { listingState: "closed", status: "withdrawn", withdrawnReason: reason } as const;
  return review(db, id, change, "lead.drop", by);
}
