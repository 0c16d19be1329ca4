import { expect, test } from "vitest";

import type { OpenPayment, OwnHold, Settled } from "./purchase-api.ts";
import {
  isAffectedBySale,
  nextPhase,
  NOT_PAID,
  type Phase,
  type PurchaseEvent,
  INITIAL_PHASE,
  getUncertainHoldId,
} from "./purchase-phase.ts";

const payment = { holdId: "hold_1", endsAt: 300_000 } as OpenPayment;
const purchase = { id: "pur_1" } as NonNullable<Settled["purchase"]>;
const settled = (status: Settled["status"], more: Partial<Settled> = {}): PurchaseEvent => ({
  type: "settled",
  settled: { status, purchase: null, ...more } as Settled,
});

const hold = { holdId: "hold_1", endsAt: 300_000 } as OwnHold;
const held: Phase = { name: "held", hold, problem: null, isServerError: false };
const openFailed: Phase = { ...held, problem: "Not started", isServerError: true };
const open: Phase = { name: "open", payment, isPaying: false, problem: null };
const paying: Phase = { ...open, isPaying: true };
const checking: Phase = { name: "checking", holdId: "hold_1", why: "time", payment: null };
const resultUnknown: Phase = { name: "checking", holdId: "hold_1", why: "answer", payment };
const processing: Phase = { name: "processing", holdId: "hold_1", status: "processing" };
const refused: Phase = { name: "refused", code: "too_many_holds", message: "Two are open" };
const decided: Phase[] = [
  { name: "bought", purchase },
  { name: "ended" },
  { name: "gone" },
  { name: "delayed", message: "Within a minute" },
];

const EVENTS: PurchaseEvent[] = [
  { type: "asked" },
  { type: "taken", hold },
  { type: "opened", payment },
  { type: "unopened", problem: "Not started", isServerError: true },
  { type: "refused", code: null, message: "No answer" },
  { type: "tried" },
  { type: "failed", problem: "Declined" },
  { type: "uncertain", why: "time" },
  { type: "sold" },
  { type: "undecided", status: "processing" },
  settled("sold", { purchase }),
  settled("cancelled"),
  settled("refunded"),
  settled("open"),
  { type: "delayed", message: "Within a minute" },
];

/** Returns the events that change a phase, each with the new phase. */
function changes(phase: Phase): Record<string, Phase> {
  return Object.fromEntries(
    EVENTS.flatMap((event) => {
      const next = nextPhase(phase, event);
      const expected = event.type === "sold" ? "soldOnMarket" : event.type;
      const name = event.type === "settled" ? event.settled.status : expected;
      return next === phase ? [] : [[name, next]];
    }),
  );
}

const following: Phase = { ...checking, why: "answer" };

const verdicts = {
  sold: { name: "bought", purchase },
  cancelled: { name: "ended" },
  refunded: { name: "gone" },
  delayed: { name: "delayed", message: "Within a minute" },
};

test("a hold is granted or refused, and a refused one can be retried", () => {
  expect(changes(INITIAL_PHASE)).toEqual({
    taken: held,
    refused: { name: "refused", code: null, message: "No answer" },
  });
  expect(changes(refused)).toEqual({ asked: INITIAL_PHASE });
});

test("a held lead's payment is created, and retried after a failure", () => {
  const lost = {
    refused: { name: "refused", code: null, message: "No answer" },
    uncertain: checking,
    soldOnMarket: following,
  };
  expect(changes(held)).toEqual({ opened: open, unopened: openFailed, ...lost });
  expect(changes(openFailed)).toMatchObject({ opened: open, ...lost });
  expect(nextPhase(openFailed, { type: "asked" })).toMatchObject({ name: "held", problem: null });
});

test("the payment keeps its hold's countdown, and a new hold starts its own", () => {
  const later = { ...payment, endsAt: 300_400 };
  expect(nextPhase(held, { type: "opened", payment: later })).toEqual(open);
  const other = { ...later, holdId: "hold_2" };
  expect(nextPhase(held, { type: "opened", payment: other })).toMatchObject({ payment: other });
});

test("a failed payment can be retried, one attempt at a time", () => {
  expect(changes(open)).toEqual({ tried: paying, uncertain: checking, soldOnMarket: following, ...verdicts });
  expect(changes({ ...open, problem: "Declined" })).toMatchObject({ tried: paying });
  expect(changes(paying)).toEqual({
    failed: { ...open, problem: "Declined" },
    // The hold expired during the payment, which may have succeeded.
    uncertain: { ...checking, why: "answer" },
    undecided: processing,
    soldOnMarket: following,
    ...verdicts,
  });
});

test("an uncertain payment ignores attempts and ends only by Stripe's decision", () => {
  for (const phase of [checking, processing]) {
    expect(changes(phase)).toEqual(verdicts);
    expect(getUncertainHoldId(phase)).toBe("hold_1");
  }
  for (const phase of [INITIAL_PHASE, refused, held, openFailed, open, paying, ...decided])
    expect(getUncertainHoldId(phase)).toBeNull();
});

test("an attempt without a response can be retried once Stripe reports it unpaid", () => {
  expect(nextPhase(paying, { type: "uncertain", why: "answer" })).toEqual(resultUnknown);
  const unpaid = { ...open, problem: NOT_PAID };
  expect(changes(resultUnknown)).toEqual({ ...verdicts, soldOnMarket: following, open: unpaid });
  expect(nextPhase(resultUnknown, settled("action_needed"))).toEqual(unpaid);
  expect(nextPhase(resultUnknown, settled("processing"))).toBe(resultUnknown);
});

test("late events do not change a final phase", () => {
  for (const phase of decided) expect(changes(phase)).toEqual({});
});

test("a sold status without a purchase is not final", () => {
  expect(nextPhase(checking, settled("sold"))).toBe(checking);
});

test("a sale on the market and an open payment never alternate endlessly", () => {
  const unpaid = ["open", "action_needed", "processing"] as const;
  for (const begun of [held, openFailed, open, paying, resultUnknown]) {
    for (const status of unpaid) {
      let phase: Phase = begun;
      let affected = 0;
      // Do what the window does: apply the sale, then ask Stripe in each uncertain phase.
      for (let step = 0; step < 20; step += 1) {
        if (isAffectedBySale(phase)) affected += 1;
        if (isAffectedBySale(phase)) phase = nextPhase(phase, { type: "sold" });
        if (getUncertainHoldId(phase)) phase = nextPhase(phase, settled(status));
      }
      expect([begun.name, status, affected, phase]).toEqual([begun.name, status, 1, following]);
    }
  }
});
