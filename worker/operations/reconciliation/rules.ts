/** The differences that a reconciliation names, and those of the money: Stripe, the ledger and the purchases. */
import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { formatCents } from "../../../contract/money.ts";
import { type KnownPayment, ledgerState, type LedgerRow } from "../../selling/payments/rules.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

/** How far back a nightly run checks. A refund can fail weeks after it was made. */
export const RECONCILED_MS = 45 * DAY_MS;
/** Minimum age of a checked payment or purchase. A newer one may not have reached every store yet. */
export const SETTLING_MS = 15 * MINUTE_MS;

/** Sales that no run can store. Once an admin has resolved the alert, they no longer count as differences. */
export const LOSSES = ["sale_without_lead", "sale_without_buyer", "sale_conflict"] as const;

export type DifferenceKind =
  | (typeof LOSSES)[number]
  | "sale_differs"
  | "market_differs"
  | "offer_differs"
  | "erasure_differs"
  | "bought_not_sold"
  | "unknown_payment"
  | "payment_state"
  | "payment_amount"
  | "payment_refund"
  | "payment_missing_at_stripe"
  | "slot_taken"
  | "paid_twice"
  | "paid_without_purchase"
  | "purchase_amount"
  | "purchase_status"
  | "purchase_without_payment";

/** What a run with `--fix` does about a difference, and how it reports that. */
export const REPAIRS = {
  write: ["write the exchange's record to D1", "wrote the exchange's record to D1"],
  withdraw: ["take the lead off that market", "took the lead off that market"],
  list: ["list the lead again", "queued the lead to be listed again once its region is not paused"],
  close: ["stop offering the lead in D1", "stopped offering the lead in D1"],
  mark_sold: ["mark the lead as sold", "marked the lead as sold"],
  erase_at_exchange: ["erase the customer at the exchange", "erased the customer at the exchange"],
  erase_in_d1: ["erase the customer in D1", "erased the customer in D1"],
  follow_stripe: ["update the ledger to what Stripe says", "updated the ledger to what Stripe says"],
  free_slot: ["end the open purchase", "ended the open purchase"],
  follow_ledger: ["update the purchase to its payment", "updated the purchase to its payment"],
} as const;
export type Repair = keyof typeof REPAIRS;

/** A difference. `subjectId` is the ID of a payment, purchase, lead or region. */
export type Difference = {
  kind: DifferenceKind;
  subjectId: string;
  /** What differs, in a sentence. */
  what: string;
  /** Null if no run can repair it. */
  repair: Repair | null;
  /** What a person must do. Without advice, the run raises no alert. */
  advice?: string;
};

/** What a run did about a difference. */
export type RepairOutcome = "fixed" | "planned" | "skipped" | "left";

/** Returns the line that reports a difference. */
export function describe({ subjectId, what, repair, advice }: Difference, outcome: RepairOutcome): string {
  const [planned, done] = repair ? REPAIRS[repair] : ["", ""];
  const report = {
    fixed: ` Fixed: ${done}.`,
    planned: ` --fix would ${planned}.`,
    skipped:
      " Skipped: a provider is paying for it, or it has just changed. Run the command again in ten minutes.",
    left: repair ? " Not fixed: the log says why. Run the command again." : "",
  }[outcome];
  return `${subjectId}: ${what}${report}${advice ? ` For a person: ${advice}` : ""}`;
}

/**
 * Returns whether the ledger agrees with Stripe about a payment. A payment with a pending refund still counts as
 * succeeded.
 */
function isSameState(payment: KnownPayment, row: LedgerRow): boolean {
  const expected = ledgerState(payment);
  return row.state === expected || (row.state === "refund_pending" && expected === "succeeded");
}

/** Compares a payment with its ledger row (null if missing). */
export function paymentDifferences(payment: KnownPayment, row: LedgerRow | null): Difference[] {
  const { paymentIntentId: subjectId, leadId, amountCents, refundedCents, status } = payment;
  const keptCents = status === "succeeded" ? amountCents - refundedCents : 0;
  const differ = (kind: DifferenceKind, what: string): Difference => ({
    kind,
    subjectId,
    what,
    repair: "follow_stripe",
  });
  if (!row) {
    if (keptCents === 0) return [];
    // The ledger takes it in, and refunds it if no sale was made with it.
    const what = `Stripe took ${formatCents(amountCents)} for lead ${leadId}, but the ledger has no record of it.`;
    return [differ("unknown_payment", what)];
  }
  const found: Difference[] = [];
  if (!isSameState(payment, row))
    found.push(
      differ("payment_state", `Stripe says ${ledgerState(payment)}, but the ledger says ${row.state}.`),
    );
  if (status === "succeeded" && row.amountCents !== amountCents)
    found.push(
      differ(
        "payment_amount",
        `Stripe took ${formatCents(amountCents)}, but the ledger says ${formatCents(row.amountCents)}.`,
      ),
    );
  if (refundedCents !== row.refundedCents)
    found.push(
      differ(
        "payment_refund",
        `Stripe has refunded ${formatCents(refundedCents)}, but the ledger says ${formatCents(row.refundedCents)}.`,
      ),
    );
  return found;
}

/** Describes a payment that is in the ledger but unknown to Stripe. */
export function missingDifference(row: LedgerRow): Difference {
  return {
    kind: "payment_missing_at_stripe",
    subjectId: row.stripePaymentIntentId!,
    what: `The ledger says ${row.state}, ${formatCents(row.amountCents)}, but Stripe has no record of this payment.`,
    repair: null,
    advice: "Set STRIPE_SECRET_KEY to a key of the account that took it.",
  };
}

const PURCHASE_STATUS: Partial<Record<LedgerRow["state"], PurchaseRow["paymentStatus"]>> = {
  succeeded: "completed",
  refunded: "refunded",
  disputed: "disputed",
};

/**
 * Compares a ledger row with the purchase it paid for (null if missing).
 * @param paidTwice whether another payment for the same lead also succeeded and was not refunded
 */
export function purchaseDifferences(
  row: LedgerRow,
  purchase: Pick<PurchaseRow, "id" | "amountPaidCents" | "paymentStatus"> | null,
  paidTwice: boolean,
): Difference[] {
  const found: Difference[] = [];
  const { id: subjectId, leadId, stripePaymentIntentId: intentId } = row;
  const isOver = row.state !== "pending" && row.state !== "processing";
  if (row.slot !== null && isOver)
    found.push({
      kind: "slot_taken",
      subjectId,
      what: `This payment has finished (${row.state}) but still counts as one of the provider's two open purchases.`,
      repair: "free_slot",
    });
  if (!purchase) {
    if (row.state !== "succeeded") return found;
    const paid = `${formatCents(row.amountCents)} was paid for lead ${leadId}`;
    return [
      ...found,
      {
        kind: paidTwice ? "paid_twice" : "paid_without_purchase",
        subjectId,
        what: paidTwice
          ? `${paid}, which another payment had paid for.`
          : `${paid}, but there is no purchase.`,
        repair: null,
        advice: `Refund ${intentId} in the Stripe dashboard.`,
      },
    ];
  }
  const keptCents = row.amountCents - row.refundedCents;
  const agreedCents = purchase.amountPaidCents;
  // A refund of the excess, or of the full amount, settles a wrong amount.
  if (row.amountCents !== agreedCents && keptCents !== agreedCents && keptCents > 0)
    found.push({
      kind: "purchase_amount",
      subjectId: purchase.id,
      what: `The purchase says ${formatCents(agreedCents)}, but its payment says ${formatCents(row.amountCents)}.`,
      repair: null,
      advice: `Refund ${keptCents > agreedCents ? `${formatCents(keptCents - agreedCents)} of` : "all of"} ${intentId} in the Stripe dashboard.`,
    });
  const expected = PURCHASE_STATUS[row.state];
  if (expected && purchase.paymentStatus !== expected)
    found.push({
      kind: "purchase_status",
      subjectId: purchase.id,
      what: `The purchase says ${purchase.paymentStatus}, but its payment is ${row.state}.`,
      repair: "follow_ledger",
    });
  return found;
}

/** Checks that a card purchase has a payment. `state`: that payment's state in the ledger (null if missing). */
export function chargeDifference(
  purchase: Pick<PurchaseRow, "id" | "mode" | "amountPaidCents">,
  state: LedgerRow["state"] | null,
): Difference | null {
  if (purchase.mode !== "stripe") return null;
  if (state === "succeeded" || state === "refunded" || state === "disputed") return null;
  const stand = state === null ? "the ledger has no payment for it" : `its payment is ${state}`;
  return {
    kind: "purchase_without_payment",
    subjectId: purchase.id,
    what: `A provider got this lead for ${formatCents(purchase.amountPaidCents)}, but ${stand}.`,
    repair: null,
    advice:
      "Look up the lead in the Stripe dashboard. If nothing was charged, ask the provider for the money.",
  };
}
