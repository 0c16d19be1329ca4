import { expect, test } from "vitest";

import type { ContactOutcome } from "../../contract/contacts.ts";
import { applyEntries, type OutboxEntry, valuesBefore } from "./entries.ts";
import { textsOf } from "./entry-texts.ts";
import type { PurchasedLead } from "./purchases.ts";

/** Returns an entry of this purchase. */
const fields = (
  body: Extract<OutboxEntry, { kind: "fields" }>["body"],
  more: { error?: string } = {},
): OutboxEntry => ({
  id: "key",
  purchaseId: "one",
  userId: "ada",
  madeAt: 1,
  kind: "fields",
  body,
  base: null,
  ...more,
});

const contact = (
  outcome: ContactOutcome,
  after: Extract<OutboxEntry, { kind: "contact" }>["after"],
): OutboxEntry => ({
  ...fields({}),
  kind: "contact",
  body: { outcome },
  after,
});

const purchase = {
  id: "one",
  salesStage: "accepted_lead",
  customerPaymentAmount: null,
  nextActionAt: null,
  nextActionNote: null,
  assignedTo: "bob",
  tries: 0,
} as PurchasedLead;
const other = { ...purchase, id: "two" };

/** Returns the shown fields of the purchase that the entries change. */
const show = (...entries: OutboxEntry[]) => applyEntries([purchase], entries)[0];

test("shows the server's purchases, with the waiting entries applied in order", () => {
  expect(applyEntries([purchase, other], [])).toEqual([purchase, other]);
  const [changed, unchanged] = applyEntries(
    [purchase, other],
    [
      fields({ salesStage: "called" }),
      fields({ customerPaymentAmount: "240.50" }),
      fields({ salesStage: "quote_sent" }),
      fields({ assignedTo: null }),
      fields({ nextActionAt: 5, nextActionNote: "Call again" }),
    ],
  );
  expect(changed).toEqual({
    ...purchase,
    salesStage: "quote_sent",
    customerPaymentAmount: "240.50",
    assignedTo: null,
    nextActionAt: 5,
    nextActionNote: "Call again",
  });
  // An unchanged purchase stays the same object, so that its row does not render again.
  expect(unchanged).toBe(other);
});

test("a refused entry shows nothing, and later entries stay", () => {
  const refused = fields({ salesStage: "declined" }, { error: "Someone has moved it." });
  expect(show(refused)).toBe(purchase);
  expect(show(refused, fields({ customerPaymentAmount: "5.00" }))).toEqual({
    ...purchase,
    customerPaymentAmount: "5.00",
  });
});

test("a logged call shows its tries and its stage, even if the server has already counted it", () => {
  const unanswered = [contact("no_answer", { tries: 1 }), contact("no_answer", { tries: 2 })];
  expect(show(...unanswered)).toEqual({ ...purchase, tries: 2 });
  expect(applyEntries([{ ...purchase, tries: 2 }], unanswered)[0]).toEqual({ ...purchase, tries: 2 });
  const called = contact("called", { tries: 0, salesStage: "called" });
  expect(show(...unanswered, called)).toEqual({ ...purchase, salesStage: "called", tries: 0 });
});

test("an undo shows the stage before", () => {
  const moved = fields({ salesStage: "quote_sent" });
  expect(show(moved, fields({ salesStage: "called", undoes: "quote_sent" }))).toEqual({
    ...purchase,
    salesStage: "called",
  });
});

test("a change remembers the values of exactly the fields that it writes", () => {
  expect(valuesBefore(purchase, { salesStage: "called" })).toEqual({ salesStage: "accepted_lead" });
  expect(valuesBefore(purchase, { nextActionAt: 5, nextActionNote: "Call" })).toEqual({
    nextActionAt: null,
    nextActionNote: null,
  });
  expect(valuesBefore(purchase, { assignedTo: null })).toEqual({ assignedTo: "bob" });
});

test.each<[what: string, entry: OutboxEntry]>([
  ["Stage “Quote sent”", fields({ salesStage: "quote_sent" })],
  ["Stage back to “Called”", fields({ salesStage: "called", undoes: "quote_sent" })],
  ["Payment $240.50", fields({ customerPaymentAmount: "240.50" })],
  ["Payment removed", fields({ customerPaymentAmount: null })],
  ["Assignment", fields({ assignedTo: "bob" })],
  ["Assignment removed", fields({ assignedTo: null })],
  ["Next action “Call again”", fields({ nextActionAt: 1, nextActionNote: "Call again" })],
  ["Next action", fields({ nextActionAt: 1, nextActionNote: null })],
  ["Next action removed", fields({ nextActionAt: null, nextActionNote: null })],
  ["Call, “No answer”", contact("no_answer", { tries: 1 })],
  ["Photo “After”", { ...fields({}), kind: "photo", body: { of: "after", type: "image/jpeg", bytes: "" } }],
  ["Text message", contact("texted", { tries: 1 })],
])("describes a change: %s", (what, made) => expect(textsOf(made).what).toBe(what));
