/** Withdraws a request for its customer, stores how they want to be reached, and announces their photos. */

import { and, eq, isNull, sql } from "drizzle-orm";

import type { ContactPreference } from "../../../contract/lead-labels.ts";
import type { ContactPreferenceAnswer, WithdrawalAnswer } from "../../../contract/request-links.ts";
import { adminRefusalError, exchangeOf, sendCommand } from "../../exchange/exchange-calls.ts";
import { calledOffId } from "../../leads/customer-update-queries.ts";
import { projectListing } from "../../leads/projection-commands.ts";
import { findLead } from "../../leads/queries.ts";
import { findCurrentLead, findRequestByToken } from "../../leads/request-link-store.ts";
import { type LeadRow, refuseEmailWithoutAddress } from "../../leads/rules.ts";
import { notifyRoom } from "../../live/room.ts";
import { announceCustomerUpdate, notifyBuyerOfUpdate } from "../../pipeline/answers/store.ts";
import { openWithdrawnCase } from "../../pipeline/guarantee/case-commands.ts";
import type { Context } from "../../platform/context.ts";
import { ENDED_CLOCK } from "../../platform/db/call-result.ts";
import { requestLinks } from "../../leads/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { log } from "../../platform/log.ts";
import { changeRequest } from "../changes/commands.ts";
import { listPendingWithdrawals } from "./queries.ts";

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

// Stores how and when a customer wants to be reached.

/**
 * Stores a new preference for the request that a link opens. The business that bought the request sees the change and
 * the previous preference. Rivals never see either.
 * @throws DomainError invalid_input for email without an address
 */
export async function setContactPreference(
  { context, now }: { context: Context; now: number },
  token: string,
  wanted: ContactPreference,
): Promise<ContactPreferenceAnswer["outcome"]> {
  const { db } = context;
  const found = await findRequestByToken(db, token);
  if (!found) return "gone";
  const { lead } = found;
  refuseEmailWithoutAddress(wanted.contactMethod, lead.customerEmail);
  const changes = (["contactMethod", "contactTime"] as const)
    .filter((field) => lead[field] !== wanted[field])
    .map((field) => ({ field, before: lead[field], after: wanted[field] }));
  if (changes.length === 0) return "saved";
  // A second click finds a different preference, so it records nothing.
  const isUnchanged = sql`${leads.contactMethod} IS ${lead.contactMethod} AND ${leads.contactTime} IS ${lead.contactTime}`;
  const [, purchases] = await db.batch([
    ...announceCustomerUpdate(db, { leadId: lead.id, kind: "changed", changes }, now, isUnchanged),
    db
      .update(leads)
      .set(wanted)
      .where(and(eq(leads.id, lead.id), isNull(leads.erasedAt))),
  ]);
  await notifyBuyerOfUpdate(context, purchases);
  // The request may have been passed on since the lead was read.
  const current = await findCurrentLead(db, lead);
  return current.id === lead.id ? "saved" : setContactPreference({ context, now }, token, wanted);
}

// Announces photos that a customer adds or removes.

/**
 * Shows a changed number of photos on the market, or the photos in the buyer's windows. Never throws: a window that
 * misses the change shows it when it loads again.
 */
export async function announcePhotos(context: Context, leadId: string, now: number): Promise<void> {
  const { db } = context;
  try {
    const first = await findLead(db, leadId);
    const lead = first && (await findCurrentLead(db, first));
    if (!lead) return;
    // A change without details sends the market a new summary.
    if (lead.status === "available" && lead.listingState === "listed")
      await changeRequest(context, { lead }, {}, now);
    if (lead.status !== "sold") return;
    const bought = await db
      .select({ id: leadPurchases.id, businessId: leadPurchases.buyerId })
      .from(leadPurchases)
      .where(eq(leadPurchases.leadId, lead.id));
    for (const { id, businessId } of bought) await notifyRoom(context, { businessId, userId: "system" }, id);
  } catch (error) {
    log("warn", "photos_not_announced", { leadId, error });
  }
}
