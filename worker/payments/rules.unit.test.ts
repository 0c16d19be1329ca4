import type { Stripe } from "stripe";
import { expect, test } from "vitest";

import { gstWithin, shownCards, toReceipt } from "./receipts.ts";

function method(id: string, created: number, fingerprint: string | null): Stripe.PaymentMethod {
  const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034, fingerprint };
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

test("cards are shown the latest first, one that was kept twice only once", () => {
  const methods = [method("pm_old", 1, "a"), method("pm_other", 2, "b"), method("pm_again", 3, "a")];
  expect(shownCards(methods).map(({ id }) => id)).toEqual(["pm_again", "pm_other"]);
  // Stripe does not always tell which card it is: then each stands for itself.
  expect(shownCards([method("pm_1", 1, null), method("pm_2", 2, null)])).toHaveLength(2);
});

test.each([
  [true, "51 000 000 000", "4.55"],
  [true, null, null],
  [false, "51 000 000 000", null],
])("a receipt is a tax invoice only with GST (%s) and an ABN (%s)", (isGstRegistered, abn, gst) => {
  const facts = {
    payment: { id: "pay_1", leadId: "lead_1", state: "succeeded", amountCents: 5000, createdAt: 1 },
    lead: { serviceType: ["lawn_mowing"], suburbName: null, suburbPostcode: null },
    purchase: null,
    account: { firstName: "Pat", lastName: "Lawn", companyName: "Lawns", abn: null },
  } as unknown as Parameters<typeof toReceipt>[0];
  const receipt = toReceipt(facts, { name: "Naturestrip", abn, isGstRegistered });
  expect(receipt).toMatchObject({ isTaxInvoice: gst !== null, gst, buyer: { name: "Pat Lawn" }, paidAt: 1 });
});
