/**
 * Tests each state transition of a payment in the ledger separately. In production most combinations occur only after
 * a failure.
 */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { LEAD_PRICE_CENTS } from "../../../contract/money.ts";
import { payments } from "../../tables.ts";
import { db } from "../../../testing/client.ts";
import { insertPayment, insertUser, newLeadId } from "../../../testing/world.ts";
import { closeRow, advancePayment } from "./ledger-commands.ts";
import type { KnownPayment, LedgerRow } from "./rules.ts";

type State = LedgerRow["state"];

/** The readings that each state accepts. Any other reading is outdated and is ignored. */
const AFTER: Readonly<Record<State, readonly State[]>> = {
  pending: ["pending", "processing", "succeeded", "cancelled", "refund_pending", "refunded", "disputed"],
  processing: ["processing", "succeeded", "cancelled", "refund_pending", "refunded", "disputed"],
  // A payment that succeeds later is recorded and refunded.
  cancelled: ["succeeded", "refund_pending", "refunded"],
  succeeded: ["succeeded", "refund_pending", "refunded", "disputed"],
  refund_pending: ["refunded"],
  refunded: [],
  disputed: ["refunded"],
};

const STATES = Object.keys(AFTER) as State[];

const owner = await insertUser(db);

/** Inserts a row in the given state. @returns the row's ID, and a later reading of the payment */
async function paymentIn(state: State): Promise<{ id: string; known: KnownPayment }> {
  const leadId = newLeadId("inner-west");
  const id = await insertPayment(db, owner, leadId, { state, readAtStripeAt: 1 });
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  const known: KnownPayment = {
    paymentIntentId: row!.stripePaymentIntentId!,
    status: "succeeded",
    amountCents: LEAD_PRICE_CENTS,
    currency: "aud",
    leadId,
    holdId: row!.holdId,
    businessId: owner.id,
    region: "inner-west",
    lastError: null,
    refundedCents: 0,
    isRefunded: false,
    isMissing: false,
    isDisputed: false,
    isDisputeWon: false,
    needsAction: false,
    card: null,
    asked: 2,
    answered: 3,
  };
  return { id, known };
}

async function stateOf(id: string): Promise<State> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row!.state;
}

test.for(STATES)("a payment that is %s moves only to its possible next states", async (from) => {
  const followed: State[] = [];
  for (const to of STATES) {
    const { id, known } = await paymentIn(from);
    const result = await advancePayment(db, known, to, Date.now());
    expect([result, await stateOf(id)]).toEqual(result === "followed" ? [result, to] : ["unchanged", from]);
    if (result === "followed") followed.push(to);
  }
  expect(followed.toSorted()).toEqual(AFTER[from].toSorted());
});

test("an earlier reading from Stripe than the newest is overtaken, and changes nothing", async () => {
  const { id, known } = await paymentIn("processing");
  const later = { ...known, asked: 10, answered: 11 };
  expect(await advancePayment(db, later, "succeeded", Date.now())).toBe("followed");
  expect(await advancePayment(db, known, "refunded", Date.now())).toBe("overtaken");
  expect(await stateOf(id)).toBe("succeeded");
});

test("only a won dispute moves a payment back to succeeded", async () => {
  const { id, known } = await paymentIn("disputed");
  expect(await advancePayment(db, known, "succeeded", Date.now())).toBe("unchanged");
  expect(await advancePayment(db, { ...known, isDisputeWon: true }, "succeeded", Date.now())).toBe(
    "followed",
  );
  expect(await stateOf(id)).toBe("succeeded");
});

test.for(STATES)("an abandoned hold closes its row, but not one that is already %s", async (state) => {
  const { id, known } = await paymentIn(state);
  await closeRow(db, known.holdId!, "cancelled", "released", Date.now());
  expect(await stateOf(id)).toBe(state === "pending" ? "cancelled" : state);
});
