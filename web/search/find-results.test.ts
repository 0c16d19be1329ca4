import { expect, test } from "vitest";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { findLeads, findPurchases } from "./find-results.ts";

const words = { customerEmail: null, customerAddress: null, suburbPostcode: "2040", specificRequests: null };
const purchase = (id: string, more: Partial<PurchasedLead>) =>
  ({
    ...words,
    id,
    customerName: "Anna Brown",
    customerPhone: "02 5550 0123",
    suburbName: "Leichhardt",
    salesNotes: null,
    nextActionNote: null,
    salesStage: "called",
    isArchived: false,
    finalisedAt: null,
    ...more,
  }) as PurchasedLead;
const lead = (id: string, more: Partial<LeadSummary>) =>
  ({
    ...words,
    id,
    customerName: "Ben C.",
    customerPhone: "•• 456",
    suburbName: "Orange",
    ...more,
  }) as LeadSummary;

test("searches every stage and returns matches in the order of the tiles", () => {
  const all = [
    purchase("final", { isArchived: true, salesNotes: "gate code 12" }),
    purchase("called", { salesNotes: "Gate is locked" }),
    purchase("new", { salesStage: "accepted_lead", customerAddress: "3 Gate Street" }),
    purchase("other", {}),
  ];
  const found = findPurchases(all, "gate");
  expect(found.map(({ label, items }) => [label, items.map(({ id }) => id)])).toEqual([
    ["Leads", ["new"]],
    ["Called", ["called"]],
    ["Final", ["final"]],
  ]);
  const noted = purchase("noted", { customerPhone: "+61 (0)491 570 006 (after 6pm)" });
  expect(findPurchases([noted], "0491570006").map(({ count }) => count)).toEqual([1]);
  expect(findPurchases(all, "0255500123").map(({ count }) => count)).toEqual([1, 2, 1]);
});

test("matches despite apostrophes, accents or one wrong letter in a long word", () => {
  const all = [
    purchase("obrien", { customerName: "Maeve O'Brien" }),
    purchase("curly", { customerName: "Seán O’Brien" }),
    purchase("soren", { customerName: "Søren André Müller" }),
    purchase("mcdonald", { customerName: "Pat McDonald", salesNotes: "Side gate" }),
  ];
  const found = (q: string) => findPurchases(all, q).flatMap(({ items }) => items.map(({ id }) => id));
  for (const q of [
    "obrien",
    "OBrien",
    "o'brien",
    "o’brien",
    "O Brien",
    "brien",
    "obri",
    "obriem",
    "obrein",
  ]) {
    expect(found(q), q).toEqual(["obrien", "curly"]);
  }
  for (const q of ["soren", "andre muller", "MÜLL", "mueller", "muler", "andrè"]) {
    expect(found(q), q).toEqual(["soren"]);
  }
  for (const q of ["mcdonlad", "mcdonal", "macdonald", "mcdxnald", "pat mcd", "gate 02555"]) {
    expect(found(q), q).toEqual(["mcdonald"]);
  }
});

test("short words and numbers must match exactly, and words by their beginning", () => {
  const all = [purchase("one", { customerName: "Kate Donald", salesNotes: "Gate code 47110" })];
  const count = (q: string) => findPurchases(all, q).length;
  for (const q of ["kat", "kate", "donald", "donalt", "47110", "4711"]) expect(count(q), q).toBe(1);
  for (const q of ["kati", "danold", "onald donal x", "47111", "7110", "ate"]) expect(count(q), q).toBe(0);
});

test("searches the market by visible details, including the region's name", () => {
  const leads = [lead("here", { region: "inner-west" }), lead("there", { region: "blacktown" })];
  expect(findLeads(leads, "inner west").items.map(({ id }) => id)).toEqual(["here"]);
  expect(findLeads(leads, "orange ben").count).toBe(2);
});

test("shows the first few matches and counts all of them", () => {
  const many = Array.from({ length: 20 }, (_, index) => purchase(`p${index}`, {}));
  const [group] = findPurchases(many, "anna");
  expect([group!.count, group!.items.length]).toEqual([20, 8]);
});
