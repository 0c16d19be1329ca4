import { expect, test } from "vitest";

import {
  addDays,
  addMonths,
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

test("late evening in UTC is the next day, or the next month, in Sydney", () => {
  expect(sydneyDay(Date.UTC(2026, 10, 30, 14))).toBe("2026-12-01");
  expect(sydneyMonth(Date.UTC(2026, 10, 30, 14))).toBe("2026-12");
  expect(addMonths("2026-01", -1)).toBe("2025-12");
  expect(addMonths("2026-12", 1)).toBe("2027-01");
});
