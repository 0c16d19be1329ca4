/** Creates the secret links to a request's page, and withdraws a request for its customer. */

import { and, eq, exists, isNull, ne, sql, type SQL } from "drizzle-orm";

import type { ContactPreference } from "../../../contract/lead-labels.ts";
import { REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import type {
  ContactPreferenceAnswer,
  CustomerChange,
  CustomerUpdateKind,
  WithdrawalAnswer,
} from "../../../contract/request-links.ts";
import { adminRefusalError, exchangeOf, sendCommand } from "../../exchange/exchange-calls.ts";
import { consumeSecret } from "../../identity/auth/one-time-secret-store.ts";
import { hashToken, newToken } from "../../identity/auth/rules.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import { ENDED_CLOCK } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerUpdates, leadPurchases, leads, requestLinks } from "../../platform/db/schema.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { calledOffId } from "../customer-update-queries.ts";
import { openWithdrawnCase } from "../guarantee-commands.ts";
import { projectListing } from "../projection-commands.ts";
import { type LeadRow, refuseEmailWithoutAddress } from "../rules.ts";
import { findCurrentLead, findRequestByToken } from "../request-link-store.ts";
import { customerUpdate, requestList } from "./messages.ts";
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

// Records what a customer does after the sale, for the business that bought the request.

/** Maximum updates of a kind for one buyer. Anyone may have the link. */
export const MAX_UPDATES = 50;

/** `id`: a stable one makes a repeat harmless. */
type CustomerUpdate = {
  id?: string;
  leadId: string;
  kind: CustomerUpdateKind;
  changes?: readonly CustomerChange[];
};

/**
 * Returns the statements that store a customer's act and mark the purchase as changed. Without a buyer they change
 * nothing, nor after `MAX_UPDATES` of a kind. The second statement returns the purchase.
 * @param when a condition on the lead's row before the batch's own change
 */
export function recordCustomerUpdate(
  db: Db,
  { id = newId("upd"), leadId, kind, changes = [] }: CustomerUpdate,
  now: number,
  when?: SQL,
) {
  const bought = and(
    eq(leadPurchases.leadId, leadId),
    ne(leadPurchases.paymentStatus, "refunded"),
    isNull(leadPurchases.removedAt),
  );
  const hasRoom = sql`(SELECT count(*) FROM customer_updates
    WHERE lead_id = ${leadId} AND kind = ${kind}) < ${MAX_UPDATES}`;
  const isRecorded = exists(
    db
      .select({ id: customerUpdates.id })
      .from(customerUpdates)
      .where(and(eq(customerUpdates.id, id), eq(customerUpdates.at, now))),
  );
  return [
    db
      .insert(customerUpdates)
      .select(
        db
          .select({
            id: sql`${id}`.as("id"),
            leadId: sql`${leadPurchases.leadId}`.as("lead_id"),
            kind: sql`${kind}`.as("kind"),
            changes: sql`${JSON.stringify(changes)}`.as("changes"),
            at: sql`${now}`.as("at"),
          })
          .from(leadPurchases)
          .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
          .where(and(bought, hasRoom, when)),
      )
      .onConflictDoNothing(),
    db
      .update(leadPurchases)
      .set({ updatedAt: nextUpdatedAt(now) })
      .where(and(bought, isRecorded))
      .returning({ purchaseId: leadPurchases.id, businessId: leadPurchases.buyerId }),
  ] as const;
}

/** Like `recordCustomerUpdate`, and enqueues the alert to the buyer's devices. */
export function announceCustomerUpdate(db: Db, update: CustomerUpdate, now: number, when?: SQL) {
  const id = update.id ?? newId("upd");
  const alert = enqueue(db, customerUpdate, { updateId: id }, now);
  return [...recordCustomerUpdate(db, { ...update, id }, now, when), alert] as const;
}

/** Notifies the buyer's open windows of a recorded act. */
export async function notifyBuyerOfUpdate(
  context: Context,
  purchases: readonly { purchaseId: string; businessId: string }[],
): Promise<void> {
  for (const { purchaseId, businessId } of purchases)
    await notifyRoom(context, { businessId, userId: "system" }, purchaseId);
}

// One-time links to all requests of an email address.

/**
 * Sends a link to all requests of an email address, if there are any. Runs after the response, so that content and
 * timing do not reveal whether the address has requests. Sends at most one email in five minutes, and three a day.
 * @param email in lower case
 * @param origin origin of the link, such as "https://naturestrip.example"
 */
export async function mailRequestList(
  context: Context,
  { email, origin, now }: { email: string; origin: string; now: number },
): Promise<void> {
  const { db } = context;
  const id = newId("msg");
  try {
    await enqueue(db, requestList, { email, origin }, now, { id });
    await context.DELIVER?.([id]);
  } catch (error) {
    log("error", "request_list_mail_failed", { error });
  }
}

/**
 * Uses up a link, and replaces its secret by one for the page that shows the list. Only one of two concurrent calls
 * succeeds.
 * @returns the new secret, which works for an hour
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function openListLink(db: Db, token: string, now: number): Promise<string> {
  const opened = newToken();
  const link = { purpose: "request_list", hash: hashToken(token) } as const;
  const renewed = { hash: hashToken(opened), expiresAt: now + REQUEST_LIST_MS };
  if (!(await consumeSecret(db, link, now, renewed))) throw new DomainError("link_ended");
  return opened;
}
