import { and, eq, exists, isNull, lt, not, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { addMonths, startOfSydneyDay, sydneyMonth } from "../../../contract/sydney-time.ts";
import { sendCommand } from "../../exchange/exchange-calls.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import { enqueueEmail } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { users } from "../../platform/db/users.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { settlePayment } from "./commands.ts";
import { endUnpaid } from "./hold-commands.ts";
import { closeRow, recordIntent } from "./ledger-commands.ts";
import { cardExpiring } from "./messages.ts";
import { listOpenOfInactive, listStale } from "./queries.ts";
import { refundOwed } from "./refund-commands.ts";
import { type LedgerRow, toPaymentOrder } from "./rules.ts";
import { findExpiringCards } from "./stripe-cards.ts";
import { acceptsCards, cancelOrRead, createPayment, readPayment, stripeAccount } from "./stripe.ts";

/** Minimum age of a payment before the sweep checks it: its hold must have ended. */
const MIN_AGE_MS = HOLD_MS + 30_000;
/** Gives a refund in progress time to finish. */
const REFUND_GRACE_MS = 30_000;
/** Maximum payments of each kind per sweep, and how many are processed in parallel. Workers limit outgoing calls. */
const MAX_PAYMENTS = 100;
const MAX_PARALLEL = 25;

/** Cancels the payment of a row without a payment id. Creating the payment again with the same key returns the id. */
async function cancelUnknown(context: Context, row: LedgerRow, now: number): Promise<void> {
  const db = context.db;
  const cards = stripeAccount(context);
  const { holdId } = row;
  const order = toPaymentOrder(row);
  const { intent, ...failure } = await createPayment(cards, order);
  if (!intent) {
    if ("reason" in failure && failure.reason === "unclear") throw new Error("Stripe does not answer");
    return closeRow(db, holdId, "cancelled", "not_created", now);
  }
  await recordIntent(db, holdId, intent.id);
  const payment = await cancelOrRead(cards, intent.id, order);
  if (payment) await settlePayment(context, payment);
}

async function recheckPayment(context: Context, row: LedgerRow, now: number): Promise<void> {
  // End the hold in case the exchange's alarm was lost.
  await sendCommand(context, row.region, { type: "lapse", leadId: row.leadId });
  if (!row.stripePaymentIntentId) {
    await endUnpaid(context, row, now);
    return cancelUnknown(context, row, now);
  }
  const order = toPaymentOrder(row);
  const payment = await readPayment(stripeAccount(context), row.stripePaymentIntentId, order);
  if (!payment) return;
  const answer = await settlePayment(context, payment);
  const isHeld = answer.ok && answer.listing.hold?.holdId === row.holdId;
  // The payment could still be paid, but its hold has ended and no alarm will cancel it.
  if (payment.status === "open" && !isHeld) {
    const current = await cancelOrRead(stripeAccount(context), payment.paymentIntentId, order);
    if (current) await settlePayment(context, current);
  }
}

/** Releases a hold of a deactivated business, in case the region did not respond during the deactivation. */
async function releaseStale(
  context: Context,
  { region, leadId, holdId, stripePaymentIntentId }: LedgerRow,
  now: number,
) {
  await sendCommand(context, region, { type: "release", leadId, holdId, cause: "closed" });
  if (!stripePaymentIntentId) await closeRow(context.db, holdId, "pending", "deactivated", now);
}

/**
 * Repairs the effects of a lost webhook, response or alarm. Checks payments that are open for too long with Stripe.
 * Releases the holds of deactivated businesses, and makes the refunds that are owed. Runs every minute.
 * @returns how many payments were checked, and how many failed and wait for the next run
 */
export async function sweepPayments(
  context: Context,
  now: number,
): Promise<{ seen: number; failed: number }> {
  if (!acceptsCards(context)) return { seen: 0, failed: 0 };
  const db = context.db;
  // Start at a random id, so that every row gets its turn if there are too many for one sweep.
  const page = { after: newId("pay"), limit: MAX_PAYMENTS };
  const [pending, processing, owed, inactive] = await Promise.all([
    listStale(db, { state: "pending", before: now - MIN_AGE_MS, ...page }),
    listStale(db, { state: "processing", before: now - MIN_AGE_MS, ...page }),
    listStale(db, { state: "refund_pending", before: now - REFUND_GRACE_MS, ...page }),
    listOpenOfInactive(db, MAX_PAYMENTS),
  ]);
  // Refunds come first, and open payments last.
  const tasks = [
    ...owed.map((row) => () => refundOwed(context, row.stripePaymentIntentId!, now)),
    ...inactive.map((row) => () => releaseStale(context, row, now)),
    ...[...processing, ...pending]
      .slice(0, MAX_PAYMENTS)
      .map((row) => () => recheckPayment(context, row, now)),
  ];
  let failed = 0;
  for (let i = 0; i < tasks.length; i += MAX_PARALLEL) {
    const results = await Promise.allSettled(tasks.slice(i, i + MAX_PARALLEL).map((task) => task()));
    failed += results.filter((result) => result.status === "rejected" || result.value === false).length;
  }
  return { seen: tasks.length, failed };
}

// Once a month, finds saved cards that expire at the month's end and warns their owners by email.

/** Maximum businesses per minute. All calls to Stripe share one rate limit, and buyers take priority. */
const MAX_BATCH_SIZE = 10;
/** Delay before the next attempt for a business after an error from Stripe. */
const RETRY_DELAY_MS = HOUR_MS;
/** A failed check is backdated by this much. It is longer than any month, so the check stays due. */
const FAILED_CHECK_AGE_MS = 32 * DAY_MS;

/** Returns when a month begins in Sydney (epoch ms). @param month such as "2026-11" */
const startOfMonth = (month: string): number => startOfSydneyDay(`${month}-01`)!;

type CardOwner = Pick<UserRow, "id" | "email" | "isActive" | "stripeCustomerId" | "cardsCheckedAt">;

/**
 * Returns businesses with saved cards that were not checked this month: never checked ones first, then the oldest
 * check.
 */
async function listUnchecked(db: Db, now: number): Promise<CardOwner[]> {
  const { id, email, isActive, stripeCustomerId, cardsCheckedAt } = users;
  const checked = users.cardsCheckedAt;
  const before = now - FAILED_CHECK_AGE_MS;
  // Matches the condition of the partial index.
  const hasSavedCards = sql`${users.stripeCustomerId} IS NOT NULL`;
  const selectOwners = (condition: SQL | undefined) =>
    db
      .select({ id, email, isActive, stripeCustomerId, cardsCheckedAt })
      .from(users)
      .where(and(hasSavedCards, condition))
      .orderBy(checked)
      .limit(MAX_BATCH_SIZE);
  const [neverChecked, checkedLongAgo] = await db.batch([
    selectOwners(isNull(checked)),
    selectOwners(
      and(
        lt(checked, startOfMonth(sydneyMonth(now))),
        not(and(lt(checked, before), sql`${checked} >= ${before - RETRY_DELAY_MS}`)!),
      ),
    ),
  ]);
  return [...neverChecked, ...checkedLongAgo].slice(0, MAX_BATCH_SIZE);
}

/** Compare-and-set: only if the Customer is the same and no other run has checked the cards since. */
const isUnchanged = ({ id, stripeCustomerId, cardsCheckedAt }: CardOwner) =>
  and(
    eq(users.id, id),
    eq(users.stripeCustomerId, stripeCustomerId ?? ""),
    sql`${users.cardsCheckedAt} IS ${cardsCheckedAt}`,
  )!;

/** Checks one business's cards. @returns whether an email was enqueued @throws Stripe's error */
async function checkCards(context: Context, owner: CardOwner, now: number): Promise<boolean> {
  const db = context.db;
  const { id, email, isActive, stripeCustomerId } = owner;
  const checked = db.update(users).set({ cardsCheckedAt: now }).where(isUnchanged(owner));
  // Closed accounts and accounts without a confirmed address get no email.
  const cards = isActive && email ? (await findExpiringCards(context, stripeCustomerId!, now)).cards : [];
  if (cards.length === 0) {
    await checked;
    return false;
  }
  const month = sydneyMonth(now);
  const cardIds = cards.map((card) => card.id).toSorted();
  const mail = {
    message: cardExpiring,
    to: email!,
    userId: id,
    subject: { cardIds, month },
    expiresAt: startOfMonth(addMonths(month, 1)),
  };
  const unchanged = db.select({ id: users.id }).from(users).where(isUnchanged(owner));
  await db.batch([enqueueEmail(db, newId("msg"), mail, now, exists(unchanged)), checked]);
  return true;
}

/**
 * Checks each business's saved cards at Stripe once per month in Sydney time. Enqueues an email if a card expires at
 * the month's end. Runs every minute. Retries an hour after an error from Stripe.
 * @returns how many emails were enqueued, and how many checks failed
 */
export async function sweepExpiringCards(
  context: Context,
  now: number,
): Promise<{ told: number; failed: number }> {
  if (!acceptsCards(context) || !canSendEmail(context)) return { told: 0, failed: 0 };
  const db = context.db;
  const owners = await listUnchecked(db, now);
  const results = await Promise.allSettled(owners.map((owner) => checkCards(context, owner, now)));
  const failedOwners = owners.filter((owner, i) => {
    const result = results[i]!;
    if (result.status === "rejected")
      log("warn", "cards_not_looked_at", { userId: owner.id, error: result.reason });
    return result.status === "rejected";
  });
  for (const owner of failedOwners)
    await db
      .update(users)
      .set({ cardsCheckedAt: now - FAILED_CHECK_AGE_MS })
      .where(isUnchanged(owner));
  const told = results.filter((result) => result.status === "fulfilled" && result.value).length;
  return { told, failed: failedOwners.length };
}
