import { expect, test } from "vitest";

import { decodeCursor, encodeCursor } from "../platform/http/cursors.ts";
import { type LeadRow } from "./rules.ts";
import { maskedSummary, maskName, maskPhone } from "./views.ts";

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
    redactedAt: null,
    priceCents: 5000,
    ...overrides,
  } as LeadRow;
}

test("the customer's own words are redacted everywhere in the text", () => {
  const specificRequests =
    "QUOKKAWORTH here, the Quokkaworths' place, xanadu, third house. Write to zq.private there. Leichhardt 2040 is lovely.";
  const shown = maskedSummary(lead({ specificRequests, preferredLocation: "near Xanadu" }));
  const text = JSON.stringify(shown).toLowerCase();
  for (const secret of ["quokkaworth", "xanadu", "zq.private"]) expect(text).not.toContain(secret);
  expect(shown.specificRequests).toContain("Leichhardt 2040 is lovely.");
});

test.each([
  ["a short one", "Mia Ng", "ask for a Ng"],
  ["one that is also a street type", "Mia Lane", "ask for a Lane"],
  ["one with an apostrophe", "Mia O'Brien", "ask for a O’Brien"],
  ["half of a double one", "Mia Smith-Jones", "ask for a Jones"],
  ["one written in another Unicode form", "Mia Mu\u0308ller", "ask for a M\u00FCller"],
])("a surname is redacted in the text: %s", (_, customerName, specificRequests) => {
  expect(maskedSummary(lead({ customerName, specificRequests })).specificRequests).toBe("ask for a ▮▮▮");
});

test("a short street name is redacted in the text", () => {
  const shown = maskedSummary(
    lead({ customerAddress: "9 Oak Street, Leichhardt", specificRequests: "end of oak street" }),
  );
  expect(shown.specificRequests).not.toContain("oak");
});

test("stored redacted text is shown unchanged, even if today's rules differ", () => {
  const stored = {
    redactedName: "Zelda Q.",
    redactedRequests: "as stored",
    redactedLocation: null,
    redactedAt: 1,
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
    Anna: "Anna",
    "Jean-Luc O'Neill": "Jean-Luc O.",
    "Émile Zola": "Émile Z.",
    "0491570006": "Customer",
    "anna@mail.example": "Customer",
    "Brown, Anna": "Customer",
    "Anna 0491570006": "Anna",
    "": "Customer",
    "A. Brown": "Customer",
    // Only letters, but they spell out a number or an address.
    "ZeroFourNineOneFiveSevenZero Brown": "Customer",
    "Joatgmaildotcom Brown": "Customer",
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a phone number is shown with its last three digits only", () => {
  expect(maskPhone("0491 570 006")).toBe("•••• ••• 006");
  expect(maskPhone("(02) 5550-0123")).toBe("•••• ••• 123");
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
