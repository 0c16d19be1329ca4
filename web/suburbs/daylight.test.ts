import { expect, test } from "vitest";

import {
  clockOffset,
  countCutsInYear,
  formatClock,
  formatDayLength,
  getMowingInterval,
  findPeriod,
  computeSunDay,
  sunYear,
} from "./daylight.ts";

const SYDNEY = { latitude: -33.8688, longitude: 151.2093 };
const BROKEN_HILL = { latitude: -31.9652, longitude: 141.4512 };

/** Sunrise and sunset from almanacs, in minutes after midnight. */
const ALMANAC = [
  { where: SYDNEY, on: "2026-06-21", rise: 7 * 60, set: 16 * 60 + 54 },
  { where: SYDNEY, on: "2026-12-22", rise: 5 * 60 + 41, set: 20 * 60 + 5 },
  { where: SYDNEY, on: "2026-03-21", rise: 6 * 60 + 58, set: 19 * 60 + 4 },
] as const;

test.each(ALMANAC)("the sun on $on matches the almanac within two minutes", ({ where, on, rise, set }) => {
  const day = computeSunDay(where, new Date(`${on}T00:00:00Z`));
  expect(Math.abs(day.rise - rise), formatClock(day.rise)).toBeLessThanOrEqual(2);
  expect(Math.abs(day.set - set), formatClock(day.set)).toBeLessThanOrEqual(2);
});

test("the UTC offset matches the time zone at noon on every day of a year", () => {
  for (const [where, timeZone] of [
    [SYDNEY, "Australia/Sydney"],
    [BROKEN_HILL, "Australia/Broken_Hill"],
    [{ latitude: -31.55, longitude: 159.08 }, "Australia/Lord_Howe"],
  ] as const) {
    const zone = new Intl.DateTimeFormat("en", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    for (const { date } of sunYear(where, 2027)) {
      // Noon, after any clock change during the night.
      const noon = date.getTime() + 2 * 3_600_000;
      const [hour, minute] = zone.format(noon).split(":").map(Number);
      expect(clockOffset(where, date), `${timeZone} ${date.toISOString()}`).toBe(hour! * 60 + minute! - 120);
    }
  }
});

test("a period may cross New Year, and a condition always or never true has none", () => {
  const year = sunYear(SYDNEY, 2026);
  const long = findPeriod(year, (day) => day.length >= 13 * 60)!;
  expect([long.from.date.getUTCMonth(), long.to.date.getUTCMonth()]).toEqual([9, 1]);
  expect(findPeriod(year, () => true)).toBeNull();
  expect(findPeriod(year, () => false)).toBeNull();
});

test("the rule of thumb is weekly in summer and monthly in winter", () => {
  const year = sunYear(SYDNEY, 2026);
  expect(getMowingInterval(year[10]!).word).toBe("weekly");
  expect(getMowingInterval(year[170]!).word).toBe("monthly");
  expect(countCutsInYear(year)).toBeGreaterThan(25);
  expect(countCutsInYear(year)).toBeLessThan(35);
  expect([formatClock(0), formatClock(12 * 60), formatClock(19 * 60 + 5)]).toEqual([
    "12:00 am",
    "12:00 pm",
    "7:05 pm",
  ]);
  expect(formatDayLength(594)).toBe("9 h 54 min");
  expect(formatDayLength(780.2)).toBe("13 h");
});
