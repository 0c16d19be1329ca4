import type { Context } from "../../platform/context.ts";
import { sendCommand } from "../../exchange/exchange-calls.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import { newId } from "../../platform/ids.ts";
import { settlePayment } from "./commands.ts";
import { endUnpaid } from "./hold-commands.ts";
import { closeRow, recordIntent } from "./ledger-commands.ts";
import { listOpenOfInactive, listStale } from "./queries.ts";
import { refundOwed } from "./refund-commands.ts";
import { type LedgerRow, toPaymentOrder } from "./rules.ts";
import { cancelOrRead, createPayment, readPayment, acceptsCards, stripeAccount } from "./stripe.ts";

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
  // Refunds come first.
  const tasks = [
    ...owed.map((row) => () => refundOwed(context, row.stripePaymentIntentId!, now)),
    ...inactive.map((row) => () => releaseStale(context, row, now)),
    ...[...pending, ...processing].map((row) => () => recheckPayment(context, row, now)),
  ];
  let failed = 0;
  for (let i = 0; i < tasks.length; i += MAX_PARALLEL) {
    const results = await Promise.allSettled(tasks.slice(i, i + MAX_PARALLEL).map((task) => task()));
    failed += results.filter((result) => result.status === "rejected" || result.value === false).length;
  }
  return { seen: tasks.length, failed };
}
