import { expect, test } from "vitest";

import type { CallClock } from "../../contract/call-clock.ts";
import { STAGES } from "../../contract/stages.ts";
import { describeCallClock } from "./call-clock.ts";

const at = (iso: string) => Date.parse(iso);
const NOON = at("2026-11-25T12:00+11:00");
const END = at("2026-11-25T14:02+11:00");

const purchase = (callClock: CallClock | null = null, more: object = {}) => ({
  purchasedAt: at("2026-11-25T10:02+11:00"),
  salesStage: "accepted_lead",
  lastContactAt: null,
  calledAt: null,
  tries: 0,
  clockEndsAt: END,
  callClock,
  ...more,
});

const shown = (callClock: CallClock | null, more: object = {}, now = NOON) => {
  const line = describeCallClock(purchase(callClock, more), now);
  return line && `${line.tone}${line.isOpen ? "" : " past"}: ${line.text.replaceAll("\u00a0", " ")}`;
};

const notYet: CallClock = { state: "running", answer: "not_yet", answeredAt: NOON - 1 };

test("before a call: the deadline and the time left", () => {
  expect(shown(null)).toBe("warm: Call by Wednesday 2:02 pm · 2 h 2 min left");
  expect(shown(null, {}, at("2026-11-25T13:37+11:00"))).toBe("hot: Call by Wednesday 2:02 pm · 25 min left");
  // The clock of a window can be 20 seconds late.
  const justSold = { clockEndsAt: NOON + 2 * 3_600_000 + 20_000 };
  expect(shown(null, justSold)).toBe("warm: Call by Wednesday 2:00 pm · 2 h left");
  expect(shown(null, {}, END - 1)).toBe("hot: Call by Wednesday 2:02 pm · 1 min left");
  expect(shown(null, {}, END)).toBe("hot: Time's up. Call now.");
});

test("a deadline on another day shows no time left, because the clock stops at night", () => {
  const more = { clockEndsAt: at("2026-11-26T08:00+11:00") };
  expect(shown(null, more)).toBe("warm: Call by Thursday 8:00 am");
  // Before 7 am, the time left counts from 7 am.
  expect(shown(null, more, at("2026-11-26T05:00+11:00"))).toBe("warm: Call by Thursday 8:00 am · 1 h left");
});

test("after a call or a text, the customer has yet to confirm it", () => {
  expect(shown(null, { lastContactAt: NOON, tries: 1 })).toBe("warm: No answer yet. Try again.");
  expect(shown(null, { salesStage: "called", lastContactAt: NOON, tries: 1 })).toBe(
    "neutral: Called. Waiting for the customer.",
  );
  expect(shown(null, { salesStage: "called" })).toBe("neutral: Called. Waiting for the customer.");
  expect(shown(null, { reachedAt: NOON })).toBe("neutral: Texted. Waiting for the customer.");
  expect(shown(null, { salesStage: "declined", reachedAt: NOON })).toBe(
    "neutral: Texted. Waiting for the customer.",
  );
  // A stage moved there and back keeps its time, and the customer's page says "called" too.
  expect(shown(null, { calledAt: NOON })).toBe("neutral: Called. Waiting for the customer.");
  expect(shown(null, { salesStage: "declined" })).toBe("warm: Call by Wednesday 2:02 pm · 2 h 2 min left");
});

test("a later stage overrules the wait for the customer, but not what the customer says", () => {
  for (const salesStage of [
    "quote_sent",
    "job_booked",
    "job_complete",
    "invoice_sent",
    "invoice_paid",
  ] as const) {
    expect(shown(null, { salesStage, calledAt: NOON, reachedAt: NOON }), salesStage).toBeNull();
    // The buyer skipped the call's stage.
    const moved = { salesStage, [STAGES[salesStage].timestampColumn]: NOON };
    expect(shown(null, moved), salesStage).toBeNull();
    expect(shown({ ...notYet, answeredAt: NOON + 1 }, moved), salesStage).toBe(
      "hot: The customer says you haven't called yet. 2 h 2 min left.",
    );
  }
});

test("the customer's response", () => {
  expect(shown(notYet)).toBe("hot: The customer says you haven't called yet. 2 h 2 min left.");
  const last: CallClock = { ...notYet, state: "last_call", lastCallEndsAt: END + 30 * 60_000 };
  expect(shown(last, {}, END + 5 * 60_000)).toBe(
    "hot: The customer says you haven't called yet. Call by Wednesday 2:32 pm, or another provider gets their request.",
  );
  expect(shown({ ...last, lastCallEndsAt: at("2026-11-26T07:30+11:00") }, {}, END)).toBe(
    "hot: The customer says you haven't called yet. Call by Thursday 7:30 am, or another provider gets their request.",
  );
  // A call after the response.
  expect(
    shown(notYet, { reachedAt: NOON, lastContactAt: NOON, salesStage: "called", calledAt: NOON - 2 }),
  ).toBe("neutral: Called. Waiting for the customer.");
  expect(shown(notYet, { lastContactAt: NOON, tries: 1 })).toBe(
    "hot: The customer says you haven't called yet. Your last call had no answer. Try again.",
  );
  expect(shown({ state: "over", answer: "called" })).toBe("neutral past: The customer says you called.");
  expect(shown({ state: "over", answer: "never_asked" })).toBe(
    "hot: The customer says they never asked for this. Please don't call.",
  );
});

test("a wrong number comes before the deadline", () => {
  const wrong = describeCallClock(purchase(), NOON, true);
  expect(wrong?.text).toBe("This number is wrong. We'll tell you when it's corrected.");
  expect(wrong?.tone).toBe("hot");
  expect(describeCallClock(purchase({ state: "over" }), NOON, true)?.text).toBe(wrong?.text);
  expect(describeCallClock(purchase({ state: "over", answer: "called" }), NOON, true)?.isOpen).toBe(false);
});

test("after the clock", () => {
  expect(shown({ state: "over" })).toBeNull();
  expect(shown({ ...notYet, state: "asked_again" })).toBe(
    "hot: The customer says you haven't called. We've asked them again.",
  );
  expect(shown({ ...notYet, state: "rescued" })).toBe(
    "neutral past: The customer says no call has reached them, so we're passing their request on to another provider.",
  );
  expect(shown(null, { clockEndsAt: null })).toBeNull();
});
