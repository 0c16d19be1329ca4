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
