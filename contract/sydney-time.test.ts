import { expect, test } from "vitest";

import {
  addDays,
  addMonths,
  formatDeadline,
  startOfSydneyDay,
  sydneyDay,
  formatSydneyTime,
  sydneyMonth,
} from "./sydney-time.ts";

test("every day of three years begins at midnight in Sydney, even when the clocks change", () => {
  for (let day = "2025-01-01"; day < "2028-01-01"; day = addDays(day, 1)) {
    const start = startOfSydneyDay(day)!;
    expect(formatSydneyTime(start), day).toBe(`${day} 00:00`);
    expect(sydneyDay(start - 1), day).toBe(addDays(day, -1));
  }
});

test("an invalid day has no start", () => {
  for (const text of ["", "2026-02-30", "2026-13-01", "21/11/2026", "2026-1-1"]) {
    expect(startOfSydneyDay(text), text).toBeNull();
  }
});

test("a deadline names its day, in Sydney", () => {
  expect(formatDeadline(Date.parse("2026-11-30T08:27+11:00"))).toBe("Monday 8:27 am");
  expect(formatDeadline(Date.UTC(2026, 10, 29, 13, 5))).toBe("Monday 12:05 am");
});

test("late evening in UTC is the next day, or the next month, in Sydney", () => {
  expect(sydneyDay(Date.UTC(2026, 10, 30, 14))).toBe("2026-12-01");
  expect(sydneyMonth(Date.UTC(2026, 10, 30, 14))).toBe("2026-12");
  expect(addMonths("2026-01", -1)).toBe("2025-12");
  expect(addMonths("2026-12", 1)).toBe("2027-01");
});
