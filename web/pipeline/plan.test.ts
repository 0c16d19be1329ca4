import { expect, test } from "vitest";

import type { CallClock } from "../../contract/call-clock.ts";
import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { planOf } from "./plan.ts";

const NOON = Date.parse("2026-11-25T12:00+11:00");

const lead = (id: string, more: Partial<PurchasedLead> = {}) =>
  ({
    id,
    salesStage: "accepted_lead",
    purchasedAt: NOON - HOUR_MS,
    lastContactAt: null,
    calledAt: null,
    nextActionAt: null,
    isArchived: false,
    finalisedAt: null,
    clockEndsAt: NOON + DAY_MS,
    callClock: null,
    ...more,
  }) as PurchasedLead;

const notYet: CallClock = {
  state: "last_call",
  answer: "not_yet",
  answeredAt: NOON,
  lastCallEndsAt: NOON + 1,
};

test("calls that are due come first, the most urgent at the top, and each lead once", () => {
  const plan = planOf(
    [
      lead("planned", { salesStage: "called", nextActionAt: NOON }),
      lead("tomorrow"),
      lead("tonight", { clockEndsAt: NOON + 8 * HOUR_MS, nextActionAt: NOON + 2 * DAY_MS }),
      lead("last call", {
        clockEndsAt: NOON - 1,
        tries: 1,
        lastContactAt: NOON - HOUR_MS,
        callClock: notYet,
      }),
      lead("called", { lastContactAt: NOON, reachedAt: NOON }),
      lead("no answer", { clockEndsAt: NOON + 2 * DAY_MS, lastContactAt: NOON, tries: 1 }),
      lead("called and moved back", { calledAt: NOON }),
      lead("no answer, declined", { salesStage: "declined", lastContactAt: NOON, tries: 1 }),
      lead("never asked", { callClock: { state: "over", answer: "never_asked" } }),
      lead("called, not logged", { callClock: { state: "running", answer: "called" } }),
      lead("by hand", { clockEndsAt: null }),
      lead("archived", { isArchived: true }),
    ],
    "2026-11-25",
  );
  expect(plan.due.map(({ id }) => id)).toEqual(["last call", "tonight", "tomorrow", "no answer", "planned"]);
  expect(plan.soon).toEqual([]);
});
