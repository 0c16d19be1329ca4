import { expect, test } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { type RecordedRequest, recordsOf } from "./record-rules.ts";

const NOW = Date.UTC(2026, 10, 23);
const NOTHING = { requestsAMonth: null, medianCallHours: null, mostAskedFor: null };

/** Returns requests from one person each, a day apart, called after 1, 2, 3, … hours. */
function requests(count: number, change: Partial<RecordedRequest> = {}): RecordedRequest[] {
  return Array.from({ length: count }, (_, i) => ({
    createdAt: NOW - (i + 1) * DAY_MS,
    serviceType: ["hedge_trimming"],
    person: `+6149157000${i}`,
    calledAt: NOW - (i + 1) * DAY_MS + (i + 1) * HOUR_MS,
    ...change,
  }));
}

test("five cases are enough, four are not", () => {
  expect(recordsOf(requests(4), 200, NOW)).toEqual(NOTHING);
  expect(recordsOf(requests(5), 200, NOW)).toEqual({
    requestsAMonth: 2,
    medianCallHours: 3,
    mostAskedFor: "hedge_trimming",
  });
  expect(recordsOf([], 200, NOW)).toEqual(NOTHING);
});

test("requests from one person, or from erased people, give no statistics", () => {
  expect(recordsOf(requests(9, { person: "+61491570006" }), 200, NOW)).toEqual(NOTHING);
  expect(recordsOf(requests(9, { person: null }), 200, NOW)).toEqual(NOTHING);
});

test("each figure needs its own cases: called requests for call times, and one service for the top service", () => {
  const mixed = requests(8).map((request, i) => ({
    ...request,
    serviceType: [i % 2 ? "lawn_mowing" : "landscaping"],
    calledAt: i < 4 ? request.calledAt : null,
  }));
  expect(recordsOf(mixed, 200, NOW)).toEqual({ ...NOTHING, requestsAMonth: 3 });
});

test("in a suburb with more requests than are read, the rate uses the days that they cover", () => {
  expect(recordsOf(requests(10), 10, NOW).requestsAMonth).toBe(30);
});
