/** Creates the secret links to a request's page, and withdraws a request for its customer. */
import { eq } from "drizzle-orm";
import { calledOffId } from "../customer-update-queries.ts";

import type { WithdrawalAnswer } from "../../../contract/request-links.ts";
import { adminRefusalError, sendCommand } from "../../exchange/exchange-calls.ts";
import { projectListing } from "../projection-commands.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { newToken } from "../../identity/auth/tokens.ts";
import type { Context } from "../../platform/context.ts";
import { leadPurchases, requestLinks } from "../../platform/db/schema.ts";
import { keyedHash } from "../../platform/keyed-hash.ts";
import { log } from "../../platform/log.ts";
import { ENDED_CLOCK } from "../clock-commands.ts";
import { openWithdrawnCase } from "../guarantee-commands.ts";
import type { LeadRow } from "../rules.ts";
import { findCurrentLead, findRequestByToken, listPendingWithdrawals } from "./queries.ts";
import { announceCustomerUpdate, notifyBuyerOfUpdate } from "./customer-update-commands.ts";
import { createRequestLink } from "./link-commands.ts";

/** A request as its form submitted it. */
type Submission = { leadId: string; submissionId: string | null | undefined };

/**
 * Returns the token of the link in the response to a submission. A repeated submission gets the same link. Our key keeps
 * readers of D1 from computing the token.
 */
export function submissionToken(originHashKey: string | null, { leadId, submissionId }: Submission): string {
  if (!submissionId) return newToken();
  return keyedHash(originHashKey ?? "naturestrip", `request link ${leadId} ${submissionId}`);
}

/** Creates the link in the response to a booking. */
export function createSubmissionLink(
  { db, settings }: Context,
  submission: Submission,
  now: number,
): Promise<string> {
  const token = submissionToken(settings.originHashKey, submission);
  return createRequestLink(db, submission.leadId, now, { token });
}

/** Records for the buyer that the customer has called off the job. Repeating it changes nothing. */
async function callOff(context: Context, leadId: string, now: number): Promise<"called_off"> {
  const { db } = context;
  const update = { id: calledOffId(leadId), leadId, kind: "withdrawn" } as const;
  const [, purchases] = await db.batch([
    ...announceCustomerUpdate(db, update, now),
    openWithdrawnCase(db, leadId, now),
    // The buyer need not call any more.
    db.update(leadPurchases).set(ENDED_CLOCK).where(eq(leadPurchases.leadId, leadId)),
  ]);
  await notifyBuyerOfUpdate(context, purchases);
  return "called_off";
}

/**
 * Takes a request off its market for its customer. A provider who is paying comes first: the request is then marked,
 * and the sweep withdraws it when their hold has ended without a sale. After a sale, alerts the buyer.
 * @returns the result for the customer
 * @throws DomainError exchange_unavailable, or a refusal that an admin must solve
 */
async function withdraw(
  context: Context,
  lead: LeadRow,
  requestId: string | null,
  now: number,
): Promise<WithdrawalAnswer["outcome"]> {
  const { db } = context;
  if (lead.status === "sold") {
    const outcome = await callOff(context, lead.id, now);
    // No rescue begins after that, but one may have begun since the lead was read.
    const current = await findCurrentLead(db, lead);
    return current.id === lead.id ? outcome : withdraw(context, current, requestId, now);
  }
  const { id: leadId, generation, priceCents, expiresAt, exchangeVersion: knownVersion, region } = lead;
  const answer = await sendCommand(context, region, {
    type: "withdraw",
    leadId,
    generation,
    priceCents,
    expiresAt,
    knownVersion,
    byUserId: null,
    toRegion: null,
  });
  if (answer.ok) {
    await projectListing(db, answer.listing, null, requestId);
    await exchangeOf(context, region)?.acknowledge(leadId, answer.listing.version);
    return "withdrawn";
  }
  // Held, or sold while D1 does not have the sale yet.
  if (answer.reason === "taken") return "waiting";
  if (answer.reason === "closed") return "withdrawn";
  throw adminRefusalError(answer);
}

/**
 * Withdraws the request that a link opens.
 * @throws DomainError exchange_unavailable
 */
export async function withdrawByToken(
  context: Context,
  token: string,
  requestId: string,
  now: number,
): Promise<WithdrawalAnswer["outcome"]> {
  const found = await findRequestByToken(context.db, token);
  if (!found) return "withdrawn";
  const outcome = await withdraw(context, found.lead, requestId, now);
  const withdrawalAskedAt = outcome === "waiting" ? now : null;
  await context.db
    .update(requestLinks)
    .set({ withdrawalAskedAt })
    .where(eq(requestLinks.tokenHash, found.tokenHash));
  return outcome;
}

const SWEEP_BATCH = 100;

/**
 * Withdraws requests that had to wait for a provider's payment.
 * @returns the number of withdrawn requests, of requests that were sold, and of those that still wait
 */
export async function sweepWithdrawals(
  context: Context,
  now: number,
): Promise<{ withdrawn: number; sold: number; failed: number }> {
  const counts = { withdrawn: 0, sold: 0, failed: 0 };
  for (const { lead, first } of await listPendingWithdrawals(context.db, SWEEP_BATCH)) {
    try {
      const outcome = await withdraw(context, lead, null, now);
      if (outcome === "waiting") continue;
      const isOver = eq(requestLinks.leadId, first.id);
      await context.db.update(requestLinks).set({ withdrawalAskedAt: null }).where(isOver);
      counts[outcome === "called_off" ? "sold" : "withdrawn"] += 1;
    } catch (error) {
      counts.failed += 1;
      log("warn", "withdrawal_delayed", { leadId: lead.id, error });
    }
  }
  return counts;
}
