import { expect, test } from "vitest";

import { addCallTime, callTimeBetween, clockEnd } from "./call-clock.ts";
import { HOUR_MS, MINUTE_MS } from "./durations.ts";
import { formatSydneyTime } from "./sydney-time.ts";

const at = (iso: string) => Date.parse(iso);
const shown = (ms: number) => formatSydneyTime(ms);

test("an urgent lead's clock runs out four hours after a sale in the day", () => {
  expect(shown(clockEnd(at("2026-11-25T10:00+11:00"), "urgent"))).toBe("2026-11-25 14:00");
});

test("the clock stops at 8 pm and goes on at 7 am", () => {
  expect(shown(clockEnd(at("2026-11-25T19:00+11:00"), "urgent"))).toBe("2026-11-26 10:00");
  expect(shown(clockEnd(at("2026-11-25T23:30+11:00"), "urgent"))).toBe("2026-11-26 11:00");
  expect(shown(clockEnd(at("2026-11-26T02:00+11:00"), "urgent"))).toBe("2026-11-26 11:00");
});

test("other leads have 24 counted hours, of which a day has 13", () => {
  expect(shown(clockEnd(at("2026-11-25T10:00+11:00"), "flexible"))).toBe("2026-11-27 08:00");
});

test("a clock that runs out at 8 pm does not run on until the morning", () => {
  expect(shown(clockEnd(at("2026-11-25T16:00+11:00"), "urgent"))).toBe("2026-11-25 20:00");
});

test("both clock changes leave the counted hours unchanged", () => {
  // Daylight saving ends on 4 April 2027, and begins on 4 October 2026.
  expect(shown(clockEnd(at("2027-04-03T19:00+11:00"), "urgent"))).toBe("2027-04-04 10:00");
  expect(shown(clockEnd(at("2027-04-04T01:30+11:00"), "urgent"))).toBe("2027-04-04 11:00");
  expect(shown(clockEnd(at("2026-10-03T19:00+10:00"), "urgent"))).toBe("2026-10-04 10:00");
  expect(shown(clockEnd(at("2026-10-04T01:30+10:00"), "urgent"))).toBe("2026-10-04 11:00");
});

test("the counted time between two times is what was added, from any minute of a week around a clock change", () => {
  const start = at("2027-04-01T00:00+11:00");
  for (let minutes = 0; minutes < 7 * 24 * 60; minutes += 37) {
    const from = start + minutes * MINUTE_MS;
    for (const hours of [0.5, 4, 24])
      expect(callTimeBetween(from, addCallTime(from, hours * HOUR_MS))).toBe(hours * HOUR_MS);
  }
});

test("no time passes backwards or at night", () => {
  expect(callTimeBetween(at("2026-11-25T12:00+11:00"), at("2026-11-25T11:00+11:00"))).toBe(0);
  expect(callTimeBetween(at("2026-11-25T20:00+11:00"), at("2026-11-26T07:00+11:00"))).toBe(0);
});

test.each([
  // 2 hours on the 24th. The 25th and 26th are holidays, and 2 hours are left on the 27th, a Sunday.
  ["urgent", "2026-12-24T18:00+11:00", "2026-12-27 09:00"],
  // 2 hours on the 24th, 13 on the 27th. The 28th is a holiday, so 9 hours are left on the 29th.
  ["flexible", "2026-12-24T18:00+11:00", "2026-12-29 16:00"],
  // The longest run: Christmas and Boxing Day 2027 with their additional days.
  ["urgent", "2027-12-24T18:00+11:00", "2027-12-29 09:00"],
  ["urgent", "2026-04-02T19:30+11:00", "2026-04-07 10:30"],
  // Bought on Christmas Day.
  ["urgent", "2026-12-25T10:00+11:00", "2026-12-27 11:00"],
  // Labour Day follows the clock change of 4 October 2026.
  ["urgent", "2026-10-04T18:00+11:00", "2026-10-06 09:00"],
] as const)("no time counts on public holidays: %s, bought %s", (urgency, soldAt, end) => {
  expect(shown(clockEnd(at(soldAt), urgency))).toBe(end);
  const hours = urgency === "urgent" ? 4 : 24;
  expect(callTimeBetween(at(soldAt), clockEnd(at(soldAt), urgency))).toBe(hours * HOUR_MS);
});
