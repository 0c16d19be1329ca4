import { expect, test } from "vitest";

import { decodeCursor, encodeCursor } from "../platform/http/paging.ts";
import { type LeadRow } from "./rules.ts";
import { maskedSummary, maskFirstName, maskName, maskPhone } from "./views.ts";

function lead(overrides: Partial<LeadRow>): LeadRow {
  return {
    id: "lead_inner-west_0000000000000000000a",
    region: "inner-west",
    customerName: "Zelda Quokkaworth",
    customerPhone: "0491 570 006",
    customerEmail: "zq.private@mail.example",
    customerAddress: "77 Xanadu Street, Leichhardt NSW 2040",
    suburbName: "Leichhardt",
    suburbPostcode: "2040",
    specificRequests: null,
    preferredLocation: null,
    priceCents: 5000,
    ...overrides,
  } as LeadRow;
}

test("stored redacted text is shown unchanged, even if today's rules differ", () => {
  const stored = {
    redactedName: "Zelda Q.",
    redactedRequests: "as stored",
    redactedLocation: null,
  };
  const shown = maskedSummary(
    lead({ ...stored, specificRequests: "ring 0491 570 006", preferredLocation: "back" }),
  );
  expect(shown).toMatchObject({
    customerName: "Zelda Q.",
    specificRequests: "as stored",
    preferredLocation: null,
  });
});

test("a name is shown as first name and initial", () => {
  const cases: Record<string, string> = {
    "Anna Brown": "Anna B.",
    "  anna   maria  brown ": "anna B.",
    "Jean-Luc O'Neill": "Jean-Luc O.",
    "Émile Zola": "Émile Z.",
    "Md.Rahman Hossain": "Md.Rahman H.",
    "Md. Rahman": "Md. R.",
    "St.John Smith": "St.John S.",
    "Sean O‘Brien": "Sean O.",
    "D`Arcy Wu": "D`Arcy W.",
    "محمد علي": "محمد ع.",
    "A. Brown": "A. B.",
    "": "Customer",
    "0491570006": "Customer",
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a name of one word, and anything that is no name, is shown as its first letter", () => {
  const cases: Record<string, string> = {
    Anna: "A.",
    李小龙: "李.",
    محمد: "م.",
    हेमा: "हे.",
    "O‘Brien": "O.",
    "Md.Rahman": "M.",
    "St.John": "S.",
    "Anna 0491570006": "A.",
    "Brown, Anna": "B.",
    "anna@mail.example": "A.",
    "lawnjo.com.au Brown": "L.",
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a review shows the first name only, or the initial of a name of one word", () => {
  expect(maskFirstName("Anna Brown")).toBe("Anna");
  expect(maskFirstName("李小龙")).toBe("李.");
});

test("a phone number is shown with its last three digits only", () => {
  expect(maskPhone("0491 570 006")).toBe("•••• ••• 006");
  expect(maskPhone("(02) 5550-0123")).toBe("•••• ••• 123");
  expect(maskPhone("0491 570 006 (after 6pm)")).toBe("•••• ••• 006");
  expect(maskPhone("02 5550 0123 x45")).toBe("•••• ••• 123");
  expect(maskPhone("call me maybe")).toBe("•••• ••• ");
});

test("a cursor is decoded to its original values", () => {
  const place = { createdAt: 1_790_000_000_123, id: "lead_inner-west_0000000000000000000a" };
  expect(decodeCursor(encodeCursor(place))).toEqual(place);
});

test("a malformed cursor is refused", () => {
  for (const text of [
    "",
    "!",
    "bm9wZQ",
    btoa("x|lead_a"),
    btoa("1.5|lead_a"),
    btoa("1|"),
    btoa("1e99|lead_a"),
  ]) {
    expect(decodeCursor(text), text).toBeNull();
  }
});
