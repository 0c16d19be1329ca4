import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { askExchange } from "../exchange/asking.ts";
import { HOLD_MS } from "../exchange/hold-rules.ts";
import { newId } from "../ids.ts";
import { settlePayment } from "./commands.ts";
import { endUnpaid } from "./hold-commands.ts";
import { closeRow, noteIntent } from "./ledger-commands.ts";
import { listOpenOfInactive, listQuiet } from "./queries.ts";
import { refundOwed } from "./refund-commands.ts";
import { type LedgerRow, orderOf } from "./rules.ts";
import { cancelOrRead, createPayment, readPayment, takesCards, stripeAccount } from "./stripe.ts";

/** A payment is left alone until its hold must be over. */
const QUIET_MS = HOLD_MS + 30_000;
/** Time for a refund under way to come to its end. */
const REFUND_PAUSE_MS = 30_000;
/** Payments of each kind per sweep, so many at a time: a Worker may not call others without end. */
const MOST = 100;
const AT_ONCE = 25;

/** A row whose payment we never learnt of: the same key tells its id, and then it is cancelled. */
async function cancelUnknown(env: Env, row: LedgerRow, now: number): Promise<void> {
  const db = database(env.DB);
  const cards = stripeAccount(env);
  const { holdId } = row;
  const order = orderOf(row);
  const { intent, ...failure } = await createPayment(cards, order);
  if (!intent) {
    if ("reason" in failure && failure.reason === "unclear") throw new Error("Stripe does not answer");
    return closeRow(db, holdId, "cancelled", "not_created", now);
  }
  await noteIntent(db, holdId, intent.id);
  const payment = await cancelOrRead(cards, intent.id, order);
  if (payment) await settlePayment(env, payment);
}

async function lookAgain(env: Env, row: LedgerRow, now: number): Promise<void> {
  // Should the exchange's alarm have been lost, this ends the hold.
  await askExchange(env, row.region, (exchange) => exchange.lapse(row.leadId));
  if (!row.stripePaymentIntentId) {
    await endUnpaid(env, row, now);
    return cancelUnknown(env, row, now);
  }
  const order = orderOf(row);
  const payment = await readPayment(stripeAccount(env), row.stripePaymentIntentId, order);
  if (!payment) return;
  const answer = await settlePayment(env, payment);
  const isHeld = answer.ok && answer.listing.hold?.holdId === row.holdId;
  // Nobody's hold any more, yet it could still be paid: no alarm will cancel it.
  if (payment.status === "open" && !isHeld) {
    const now = await cancelOrRead(stripeAccount(env), payment.paymentIntentId, order);
    if (now) await settlePayment(env, now);
  }
}

/** A deactivated business still holds something: its region did not answer when it was told. */
async function letGo(env: Env, { region, leadId, holdId, stripePaymentIntentId }: LedgerRow, now: number) {
  await askExchange(env, region, (exchange) => exchange.release(leadId, holdId, "closed"));
  if (!stripePaymentIntentId) await closeRow(database(env.DB), holdId, "pending", "deactivated", now);
}

/**
 * Puts right what a lost webhook, answer or alarm left behind: asks Stripe about every payment that is
 * open for too long, lets go of what deactivated businesses hold, and pays back what is owed. Runs every
 * minute.
 * @returns how many payments were looked at and how many have to wait for the next time
 */
export async function sweepPayments(env: Env, now: number): Promise<{ seen: number; failed: number }> {
  if (!takesCards(env)) return { seen: 0, failed: 0 };
  const db = database(env.DB);
  // Another place each time: with more rows than one sweep takes, every row has its turn.
  const page = { after: newId("pay"), limit: MOST };
  const [open, owed, inactive] = await Promise.all([
    listQuiet(db, { states: ["pending", "processing"], before: now - QUIET_MS, ...page }),
    listQuiet(db, { states: ["refund_pending"], before: now - REFUND_PAUSE_MS, ...page }),
    listOpenOfInactive(db, MOST),
  ]);
  // What we owe comes first.
  const tasks = [
    ...owed.map((row) => () => refundOwed(env, row.stripePaymentIntentId!, now)),
    ...inactive.map((row) => () => letGo(env, row, now)),
    ...open.map((row) => () => lookAgain(env, row, now)),
  ];
  let failed = 0;
  for (let i = 0; i < tasks.length; i += AT_ONCE) {
    const results = await Promise.allSettled(tasks.slice(i, i + AT_ONCE).map((task) => task()));
    failed += results.filter((result) => result.status === "rejected" || result.value === false).length;
  }
  return { seen: tasks.length, failed };
}
