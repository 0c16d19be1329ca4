import { expect, test } from "vitest";

import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import { getDueState, formatDue } from "./due-state.ts";

const day = (text: string) => startOfSydneyDay(text)!;
/** 11 pm in Sydney, so an hour later is the next day. */
const NOW = day("2026-11-21") + 23 * 3_600_000;

test("a next action is due from midnight and overdue from the next midnight", () => {
  expect(getDueState(day("2026-11-20"), NOW)).toBe("overdue");
  expect(getDueState(day("2026-11-21"), NOW)).toBe("today");
  expect(getDueState(day("2026-11-22"), NOW)).toBe("later");
  expect(getDueState(day("2026-11-21"), NOW + 3_600_000)).toBe("overdue");
});

test("names nearby days and shows other dates", () => {
  const words = ["20", "21", "22", "25"].map((text) => formatDue(day(`2026-11-${text}`), NOW));
  expect(words).toEqual(["Yesterday", "Today", "Tomorrow", "25 Nov 2026"]);
});

test("shows the time of a next action, if it has one", () => {
  expect(formatDue(day("2026-11-22") + 9 * 3_600_000, NOW)).toBe("Tomorrow, 9:00 am");
});
