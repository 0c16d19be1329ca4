import { describe, expect, test } from "vitest";

import {
  CALL_ANSWERS,
  callDeadline,
  canAnswer,
  type CallAnswer,
  type CallClock,
  clockEnd,
} from "../../../contract/call-clock.ts";
import { clockState } from "../../../contract/call-state.ts";
import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { formatSydneyTime } from "../../../contract/sydney-time.ts";
import { advance, applyAnswer, type ClockAct, type TimedPurchase } from "./rules.ts";

const at = (iso: string) => Date.parse(iso);
const shown = (ms: number | null) => (ms === null ? null : formatSydneyTime(ms).slice(5));

const SOLD = at("2026-11-25T10:00+11:00");
const REMINDER = at("2026-11-25T13:00+11:00");
const END = at("2026-11-25T14:00+11:00");

/** An urgent lead, sold at 10 am. Its clock runs out at 2 pm. */
function purchase(callClock: CallClock | null = null, reachedAt: number | null = null): TimedPurchase {
  return {
    purchasedAt: SOLD,
    salesStage: "accepted_lead",
    reachedAt,
    calledAt: null,
    clockEndsAt: END,
    callClock,
  };
}

const running = (answer?: CallAnswer, more: Partial<CallClock> = {}): CallClock => ({
  state: "running",
  ...(answer && { answer, answeredAt: SOLD + MINUTE_MS }),
  ...more,
});

/** Plays a life: the sweep whenever it is due, and events at their times. Returns the acts with their times. */
function play(start: TimedPurchase, events: [number, CallAnswer | "contact"][], firstDue: number) {
  const acts: string[] = [];
  let now: TimedPurchase = start;
  let dueAt: number | null = firstDue;
  const steps = [...events];
  for (let i = 0; i < 50; i++) {
    const [next] = steps;
    if (next && (dueAt === null || next[0] <= dueAt)) {
      steps.shift();
      const [time, event] = next;
      if (event === "contact") now = { ...now, reachedAt: time };
      else {
        const change = applyAnswer(now, event, time);
        if (change) {
          now = { ...now, callClock: change.clock };
          dueAt = change.dueAt;
        }
      }
      continue;
    }
    if (dueAt === null) break;
    const time: number = dueAt;
    const step = advance(now, time);
    now = { ...now, callClock: step.clock };
    dueAt = step.dueAt;
    acts.push(...step.acts.map((act) => `${shown(time)} ${act}`));
    if (step.acts.includes("rescue")) break;
  }
  return { acts, state: clockState(now), dueAt };
}

const step = (of: TimedPurchase, now: number) => {
  const { clock, dueAt, acts } = advance(of, now);
  return [clock.state, shown(dueAt), acts.join()];
};

const respond = (of: TimedPurchase, answer: CallAnswer, now: number) => {
  const change = applyAnswer(of, answer, now);
  return change && [change.clock.state, change.clock.answer, shown(change.dueAt)];
};

describe("the sweep's steps", () => {
  test("a buyer who has called gets no reminder, and a customer who has responded is not asked", () => {
    expect(step(purchase(null, SOLD + 1), REMINDER)).toEqual(["running", "11-25 14:00", "ask"]);
    expect(step(purchase(running("not_yet")), REMINDER)).toEqual(["running", "11-25 14:00", "remind"]);
    expect(step(purchase(running("called"), SOLD + 1), REMINDER)).toEqual(["running", "11-25 14:00", ""]);
  });

  test("an unanswered call is no call: the buyer is reminded, and the clock stays open", () => {
    const tried = { ...purchase(), tries: 1 };
    expect(step(tried, REMINDER)).toEqual(["running", "11-25 14:00", "remind,ask"]);
    const silent = { ...tried, callClock: running(undefined, { askedAt: REMINDER }) };
    expect(step(silent, END)).toEqual(["running", null, ""]);
    expect(respond(silent, "not_yet", END + DAY_MS)).toEqual(["last_call", "not_yet", "11-26 14:30"]);
    const last = running("not_yet", { state: "last_call", lastCallEndsAt: END + 30 * MINUTE_MS });
    expect(step({ ...tried, callClock: last }, END + 30 * MINUTE_MS)[0]).toBe("asked_again");
  });

  test.each<[string, CallClock, number | null, string[]]>([
    ["no call, the customer says they called", running("called"), null, ["running", ""]],
    ["a call, confirmed before it was logged", running("called"), SOLD + 1, ["over", ""]],
  ])("at the end: %s", (_, clock, reachedAt, [state, acts]) => {
    expect(step(purchase(clock, reachedAt), END)).toEqual([state, null, acts]);
  });

  test("a sweep that missed the reminder still asks the customer, and waits 30 minutes for the response", () => {
    expect(step(purchase(), END)).toEqual(["running", "11-25 14:30", "ask"]);
    expect(step(purchase(null, SOLD + 1), END)).toEqual(["running", "11-25 14:30", "ask"]);
  });

  test("after the last 30 minutes: rescue, or the customer is asked once more if a call was logged", () => {
    const last = running("not_yet", { state: "last_call", lastCallEndsAt: END + 30 * MINUTE_MS });
    expect(step(purchase(last), END + 30 * MINUTE_MS)).toEqual(["rescued", "11-25 14:32", "rescue"]);
    expect(step(purchase(last, SOLD + 1), END + 30 * MINUTE_MS)).toEqual([
      "asked_again",
      "11-27 12:30",
      "ask_again",
    ]);
    const called = { ...purchase(last), salesStage: "called" };
    expect(step(called, END + 30 * MINUTE_MS)[0]).toBe("asked_again");
  });

  test("a declined lead was not called, unless it had been at that stage", () => {
    const declined = { ...purchase(), salesStage: "declined" };
    expect(step(declined, REMINDER)).toEqual(["running", "11-25 14:00", "remind,ask"]);
    const silent = { ...declined, callClock: running(undefined, { askedAt: REMINDER }) };
    expect(step(silent, END)).toEqual(["running", null, ""]);
    expect(step({ ...silent, calledAt: SOLD + 1 }, END)).toEqual(["over", null, ""]);
  });

  test("asked once more: silence ends the clock, a second no passes the request on with a review", () => {
    const again = running("not_yet", { state: "asked_again", askedAgainAt: END + 30 * MINUTE_MS });
    const later = END + DAY_MS;
    expect(step(purchase(again, SOLD + 1), later)).toEqual(["over", null, ""]);
    const second = { ...again, answeredAt: END + 40 * MINUTE_MS };
    expect(step(purchase(second, SOLD + 1), END + 40 * MINUTE_MS)).toEqual([
      "rescued",
      "11-25 14:42",
      "review,rescue",
    ]);
  });

  test("a rescue that failed is tried again, with its first time", () => {
    const { clock, acts } = advance(purchase({ state: "rescued", rescuedAt: END }), END + DAY_MS);
    expect([clock.rescuedAt, acts]).toEqual([END, ["rescue"]]);
  });

  test("a sale that is written two weeks late starts nothing", () => {
    expect(step(purchase(), SOLD + 14 * DAY_MS)).toEqual(["over", null, ""]);
    expect(step(purchase({ state: "over" }), END)).toEqual(["over", null, ""]);
  });
});

describe("the customer's responses", () => {
  test("called: stops the clock for good if the buyer logged a call, else it can change", () => {
    expect(respond(purchase(null, SOLD + 1), "called", SOLD + 2)).toEqual(["over", "called", null]);
    expect(respond(purchase({ state: "over", answer: "called" }, SOLD + 1), "not_yet", SOLD + 3)).toBeNull();
    expect(respond(purchase(), "called", SOLD + 2)).toEqual(["running", "called", "11-25 13:00"]);
    expect(respond(purchase(running("called")), "not_yet", SOLD + 2 * MINUTE_MS)).toEqual([
      "running",
      "not_yet",
      "11-25 13:00",
    ]);
  });

  test("called, and then a logged call: the response is final too, as it is in the other order", () => {
    const confirmed = purchase(running("called"), SOLD + 2 * MINUTE_MS);
    for (const answer of CALL_ANSWERS) expect(respond(confirmed, answer, END + DAY_MS)).toBeNull();
  });

  test("not yet: keeps the end before it, and starts the last 30 minutes after it", () => {
    expect(respond(purchase(), "not_yet", SOLD + 1)).toEqual(["running", "not_yet", "11-25 13:00"]);
    expect(respond(purchase(), "not_yet", REMINDER)).toEqual(["running", "not_yet", "11-25 14:00"]);
    expect(respond(purchase(running("called")), "not_yet", END + DAY_MS)).toEqual([
      "last_call",
      "not_yet",
      "11-26 14:30",
    ]);
    // At night, the last 30 minutes begin at 7 am.
    expect(respond(purchase(), "not_yet", at("2026-11-25T22:00+11:00"))).toEqual([
      "last_call",
      "not_yet",
      "11-26 07:30",
    ]);
  });

  test("never asked: stops the clock, and can be taken back", () => {
    expect(respond(purchase(), "never_asked", SOLD + 1)).toEqual(["over", "never_asked", null]);
    const stopped = purchase({ state: "over", answer: "never_asked", answeredAt: SOLD + 1 });
    expect(respond(stopped, "not_yet", SOLD + 2)).toEqual(["running", "not_yet", "11-25 13:00"]);
  });

  test("a repeated response changes nothing, except the first one after the customer was asked once more", () => {
    for (const answer of CALL_ANSWERS) {
      const once = applyAnswer(purchase(), answer, SOLD + 1)!;
      expect(applyAnswer({ ...purchase(), callClock: once.clock }, answer, SOLD + 2)).toBeNull();
    }
    const last = running("not_yet", { state: "last_call", lastCallEndsAt: END + 30 * MINUTE_MS });
    expect(respond(purchase(last), "not_yet", END + 1)).toBeNull();
    const again = running("not_yet", { state: "asked_again", askedAgainAt: END + 30 * MINUTE_MS });
    const contacted = purchase(again, SOLD + 1);
    expect(respond(contacted, "not_yet", END + 31 * MINUTE_MS)).toEqual([
      "asked_again",
      "not_yet",
      "11-25 14:31",
    ]);
    const second = { ...again, answeredAt: END + 31 * MINUTE_MS };
    expect(respond(purchase(second, SOLD + 1), "not_yet", END + 32 * MINUTE_MS)).toBeNull();
    expect(respond(contacted, "called", END + 31 * MINUTE_MS)).toEqual(["over", "called", null]);
  });

  test("in the last 30 minutes, called ends them but not the customer's right to change their mind", () => {
    const last = running("not_yet", { state: "last_call", lastCallEndsAt: END + 30 * MINUTE_MS });
    expect(respond(purchase(last), "called", END + MINUTE_MS)).toEqual(["running", "called", null]);
    expect(respond(purchase(last, END + 1), "called", END + MINUTE_MS)).toEqual(["over", "called", null]);
  });

  test("nothing counts after the rescue, after two weeks, or without a clock", () => {
    for (const answer of CALL_ANSWERS) {
      expect(respond(purchase({ state: "rescued" }), answer, END + DAY_MS)).toBeNull();
      expect(respond(purchase({ state: "over" }), answer, END + DAY_MS)).toBeNull();
      expect(respond(purchase(), answer, SOLD + 14 * DAY_MS)).toBeNull();
    }
    const unclocked = { ...purchase(), clockEndsAt: null };
    expect(canAnswer(unclocked, SOLD + 1)).toBe(false);
    expect(clockState(unclocked)).toBeNull();
  });
});

describe("whole lives", () => {
  test.each<[string, [number, CallAnswer | "contact"][], string[], string]>([
    ["silence on both sides", [], ["11-25 13:00 remind", "11-25 13:00 ask"], "running"],
    [
      "no call, and the customer says so",
      [[SOLD + MINUTE_MS, "not_yet"]],
      ["11-25 13:00 remind", "11-25 14:00 warn", "11-25 14:30 rescue"],
      "rescued",
    ],
    [
      "the customer says so days later",
      [[END + DAY_MS, "not_yet"]],
      ["11-25 13:00 remind", "11-25 13:00 ask", "11-26 14:30 rescue"],
      "rescued",
    ],
    [
      "a call in the last 30 minutes, and silence",
      [
        [SOLD + MINUTE_MS, "not_yet"],
        [END + MINUTE_MS, "contact"],
      ],
      ["11-25 13:00 remind", "11-25 14:00 warn", "11-25 14:30 ask_again"],
      "over",
    ],
    [
      "a provider who logs calls they never made",
      [
        [SOLD + MINUTE_MS, "contact"],
        [SOLD + 2 * MINUTE_MS, "not_yet"],
        [END + 45 * MINUTE_MS, "not_yet"],
      ],
      [
        "11-25 13:00 remind",
        "11-25 14:00 warn",
        "11-25 14:30 ask_again",
        "11-25 14:45 review",
        "11-25 14:45 rescue",
      ],
      "rescued",
    ],
    [
      "called and confirmed",
      [
        [SOLD + MINUTE_MS, "contact"],
        [SOLD + 2 * MINUTE_MS, "called"],
      ],
      [],
      "over",
    ],
    ["called and silence", [[SOLD + MINUTE_MS, "contact"]], ["11-25 13:00 ask"], "over"],
  ])("%s", (_, events, acts, state) => {
    const played = play(purchase(), events, REMINDER);
    expect([played.acts, played.state]).toEqual([acts, state]);
  });

  // Daylight saving ends at 3 am on 4 April 2027, and begins at 2 am on 4 October 2026.
  test.each([
    [
      "2027-04-03T18:00+11:00",
      ["04-03 18:00", "04-04 08:00 remind", "04-04 09:00 warn", "04-04 09:30 rescue"],
    ],
    [
      "2026-10-03T18:00+10:00",
      ["10-03 18:00", "10-04 08:00 remind", "10-04 09:00 warn", "10-04 09:30 rescue"],
    ],
  ])("across the clock change after %s, the night counts for nothing", (sold, [soldAt, ...acts]) => {
    const purchasedAt = at(sold);
    const clockEndsAt = clockEnd(purchasedAt, "urgent");
    const start = { ...purchase(), purchasedAt, clockEndsAt };
    const answered = applyAnswer(start, "not_yet", purchasedAt + MINUTE_MS)!;
    const played = play({ ...start, callClock: answered.clock }, [], answered.dueAt!);
    expect([shown(purchasedAt), ...played.acts]).toEqual([soldAt, ...acts]);
  });
});

test("the deadline is the clock's end, then the end of the last 30 minutes, then nothing", () => {
  expect(callDeadline(purchase(), END - 1)).toBe(END);
  expect(callDeadline(purchase(), END)).toBeNull();
  const last = running("not_yet", { state: "last_call", lastCallEndsAt: END + 30 * MINUTE_MS });
  expect(callDeadline(purchase(last), END + 1)).toBe(END + 30 * MINUTE_MS);
  const acts: ClockAct[] = advance(purchase(last), END + 30 * MINUTE_MS).acts;
  expect(acts).toEqual(["rescue"]);
  expect(callDeadline(purchase({ state: "rescued" }), END)).toBeNull();
});
