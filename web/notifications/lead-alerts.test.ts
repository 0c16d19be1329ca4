import { expect, test } from "vitest";

import { dayName } from "./lead-alerts.ts";

test("names a day, even when daylight saving starts or ends", () => {
  expect(dayName("2026-12-07")).toBe("Monday 7 December");
  expect(dayName("2027-04-04")).toBe("Sunday 4 April");
  expect(dayName("2026-10-04")).toBe("Sunday 4 October");
});
