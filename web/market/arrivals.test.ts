import { expect, test } from "vitest";

import type { LeadSummary } from "../../contract/leads.ts";
import { splitArrivals } from "./arrivals.ts";

const lead = (id: string, index: number) => ({ id, createdAt: -index, heldUntil: null }) as LeadSummary;
const all = ["newest", "new", "gone", "read", "between", "older", "oldest"].map(lead);
const pick = (...ids: string[]) => all.filter(({ id }) => ids.includes(id));
const leads = all.filter(({ id }) => id !== "gone");
const rendered = pick("gone", "read", "older");
const idsOf = (list: readonly LeadSummary[]) => list.map(({ id }) => id);

test("while a shown lead is for sale, newer leads wait and older ones are appended", () => {
  const held = leads.map((one) => (one.id === "read" ? { ...one, heldUntil: 5 } : one));
  const { shown, waiting } = splitArrivals(held, rendered);
  expect(idsOf(shown)).toEqual(["gone", "read", "older", "oldest"]);
  expect(shown[1]?.heldUntil).toBe(5);
  expect(waiting).toBe(3);
});

test("no lead waits if the list is empty or all its leads are gone", () => {
  expect(splitArrivals(leads, [])).toEqual({ shown: leads, waiting: 0 });
  expect(splitArrivals(leads, pick("gone"))).toEqual({ shown: leads, waiting: 0 });
});
