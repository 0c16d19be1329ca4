import { expect, test } from "vitest";

import type { LeadSummary } from "../../contract/leads.ts";
import { splitArrivals } from "./arrivals.ts";

const lead = (id: string) => ({ id, heldUntil: null }) as LeadSummary;
const leads = ["newest", "new", "read", "between", "older", "oldest"].map(lead);
const drawn = ["gone", "read", "older"].map(lead);
const idsOf = (list: readonly LeadSummary[]) => list.map(({ id }) => id);

test("while somebody reads, what is newer than all they see waits, and the rest does not", () => {
  const { shown, waiting } = splitArrivals(leads, drawn, "reading");
  expect(idsOf(shown)).toEqual(["read", "between", "older", "oldest"]);
  expect(waiting).toBe(2);
});

test("while a pointer is down, nothing comes and nothing goes, and what is known of each is the newest", () => {
  const held = leads.map((one) => (one.id === "read" ? { ...one, heldUntil: 5 } : one));
  const { shown, waiting } = splitArrivals(held, drawn, "pressing");
  expect(idsOf(shown)).toEqual(["gone", "read", "older"]);
  expect(shown[1]?.heldUntil).toBe(5);
  expect(waiting).toBe(2);
});

test("nothing waits when nobody reads, or when nothing of what stood there is left", () => {
  expect(splitArrivals(leads, drawn, "idle")).toEqual({ shown: leads, waiting: 0 });
  expect(splitArrivals(leads, [], "reading")).toEqual({ shown: leads, waiting: 0 });
  expect(splitArrivals(leads, [lead("gone")], "pressing")).toEqual({ shown: leads, waiting: 0 });
});
