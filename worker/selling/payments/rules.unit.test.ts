import type { Stripe } from "stripe";
import { expect, test } from "vitest";

import { gstWithin, shownCards } from "./queries.ts";

function method(
  id: string,
  created: number,
  fingerprint: string | null,
  [exp_month, exp_year] = [12, 2034],
): Stripe.PaymentMethod {
  const card = { brand: "visa", last4: "4242", exp_month, exp_year, fingerprint };
  return { id, created, type: "card", card } as Stripe.PaymentMethod;
}

test.each([
  [5000, 455],
  [5500, 500],
  [1, 0],
  [0, 0],
])("the GST within %i cents is %i", (cents, gst) => {
  expect(gstWithin(cents)).toBe(gst);
});

test("cards are shown latest first, and a card saved twice only once", () => {
  const methods = [method("pm_old", 1, "a"), method("pm_other", 2, "b"), method("pm_again", 3, "a")];
  expect(shownCards(methods, 0).map(({ id }) => id)).toEqual(["pm_again", "pm_other"]);
  // Without a fingerprint from Stripe each card counts as a different one.
  expect(shownCards([method("pm_1", 1, null), method("pm_2", 2, null)], 0)).toHaveLength(2);
});

test.each([
  ["in the month before", "2026-10-31T12:59:59Z", "later"],
  ["as its month begins in Sydney", "2026-10-31T13:00:00Z", "this_month"],
  ["on its last day in Sydney", "2026-11-30T12:59:59Z", "this_month"],
  ["when that day is over there", "2026-11-30T13:00:00Z", "over"],
  ["a year before", "2025-12-15T00:00:00Z", "later"],
  ["a year after", "2027-01-15T00:00:00Z", "over"],
])("a card of 11/26 %s", (_, at, expiry) => {
  expect(shownCards([method("pm_1", 1, "a", [11, 2026])], Date.parse(at))).toMatchObject([{ expiry }]);
});
