import { expect, test } from "vitest";

import {
  decodeCursor,
  encodeCursor,
  type LeadRow,
  maskedSummary,
  maskName,
  maskPhone,
  redact,
} from "./rules.ts";

/** What a customer might write to be reached without a purchase, and what must not be left of it. */
const DISGUISES: [text: string, secrets: string[]][] = [
  ["ring 0491 570 006 please", ["0491", "570", "006"]],
  ["ring 0 4 9 1 5 7 0 0 0 6", ["4 9", "0 6"]],
  ["ring 0491-570-006 or (02) 5550.0123", ["570", "5550", "0123"]],
  ["ring 0491 – 570 — 006", ["0491", "570", "006"]],
  ["ring 0491*570*006", ["0491", "570", "006"]],
  ["ring 0491:570|006", ["0491", "570", "006"]],
  ["ring 0491\n570\n006", ["0491", "570"]],
  ["ring +61 491 570 006", ["491", "570"]],
  ["ring o491 57O oO6", ["491", "57O"]],
  ["ring ０４９１５７０００６", ["０４９１", "0491"]],
  ["ring 04\u200B91\u200B57\u200B00\u200B06", ["91", "57"]],
  ["ring 0️⃣4️⃣9️⃣1️⃣5️⃣7️⃣0️⃣0️⃣0️⃣6️⃣", ["4️⃣9", "49"]],
  ["ring ٠٤٩١٥٧٠٠٠٦", ["٤٩١"]],
  ["oh four nine one five seven zero zero zero six", ["four", "seven", "six"]],
  ["oh four nine one 570 006", ["four", "570", "006"]],
  ["0491 five seven zero, double zero six", ["0491", "seven", "six"]],
  ["mail jo@mail.example", ["jo@", "mail.example"]],
  ["mail jo @ mail . example", ["mail . example"]],
  ["mail jo (at) mail (dot) example", ["(at)", "example"]],
  ["mail jo[at]mail[dot]example", ["mail[", "example"]],
  ["mail jo AT mail DOT example", ["AT mail", "example"]],
  ["mail jo at mail.com", ["jo at", "mail.com"]],
  ["mail jo at gmail", ["jo at gmail"]],
  ["write to jo＠mail．com", ["jo＠", "jo@", "mail"]],
  ["see https://lawn.example/jo?x=1", ["lawn.example", "jo"]],
  ["see www.lawn.example", ["lawn.example"]],
  ["see lawnjo.com.au/photos", ["lawnjo", "photos"]],
  ["see lawnjo dot com", ["lawnjo dot"]],
  ["see lawnjo(dot)com", ["lawnjo"]],
  ["see bit.ly/3xyz or lawnjo.xyz", ["3xyz", "lawnjo"]],
  ["find me as @lawn_jo", ["lawn_jo"]],
  ["I live at 34 Wattle Street", ["34", "Wattle"]],
  ["I live at 12/34a wattle st, second gate", ["34a", "wattle"]],
  ["Unit 3, 34 Wattle Grove", ["34", "Wattle"]],
  ["on the corner of Wattle Rd and Fern Lane", ["Wattle", "Fern"]],
  ["post it to PO Box 123", ["123"]],
];

test.each(DISGUISES)("nobody can be reached through %j", (text, secrets) => {
  const shown = redact(text);
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

test.each([
  "Please mow every 2 weeks, about 400 sqm, gate code needed.",
  "Two dogs, one cat; the side gate sticks a little.",
  "Lawn is 20 x 15 m, last cut in March 2026.",
  "Budget $80-$120 a visit. Mornings after 9 am suit best.",
  "Look at the back yard first. At the front there is a hedge, 2.5 m tall.",
  "We have one or two trees, e.g. a jacaranda.",
])("what does not lead to the customer stays: %j", (text) => {
  expect(redact(text)).toBe(text);
});

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

test("the customer's own words are blanked wherever they stand", () => {
  const specificRequests =
    "QUOKKAWORTH here, the Quokkaworths' place, xanadu, third house. Write to zq.private there. Leichhardt 2040 is lovely.";
  const shown = maskedSummary(lead({ specificRequests, preferredLocation: "near Xanadu" }));
  const text = JSON.stringify(shown).toLowerCase();
  for (const secret of ["quokkaworth", "xanadu", "zq.private"]) expect(text).not.toContain(secret);
  expect(shown.specificRequests).toContain("Leichhardt 2040 is lovely.");
});

test.each([
  ["a short one", "Mia Ng", "ask for a Ng"],
  ["one like a kind of street", "Mia Lane", "ask for a Lane"],
  ["one with an apostrophe", "Mia O'Brien", "ask for a O’Brien"],
  ["a double one, half of it", "Mia Smith-Jones", "ask for a Jones"],
  ["one written in another Unicode form", "Mia Mu\u0308ller", "ask for a M\u00FCller"],
])("a surname does not show in the text: %s", (_, customerName, specificRequests) => {
  expect(maskedSummary(lead({ customerName, specificRequests })).specificRequests).toBe("ask for a ▮▮▮");
});

test("a short street name does not show in the text", () => {
  const shown = maskedSummary(
    lead({ customerAddress: "9 Oak Street, Leichhardt", specificRequests: "end of oak street" }),
  );
  expect(shown.specificRequests).not.toContain("oak");
});

test("blanking is quick for texts made to be slow", () => {
  const units = ["0 ", "a.", "a@", "12 a ", "Ab ", "one ", "at dot ", "a-", "unit 1 ", "(at)", "l", "x at "];
  for (const unit of units) {
    const started = performance.now();
    redact(unit.repeat(2000 / unit.length));
    expect(performance.now() - started, unit).toBeLessThan(300);
  }
});

test("a name shows as first name and initial", () => {
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
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a phone number shows its last three digits", () => {
  expect(maskPhone("0491 570 006")).toBe("•••• ••• 006");
  expect(maskPhone("(02) 5550-0123")).toBe("•••• ••• 123");
  expect(maskPhone("call me maybe")).toBe("•••• ••• ");
});

test("a cursor is read back as it was written", () => {
  const place = { createdAt: 1_790_000_000_123, id: "lead_inner-west_0000000000000000000a" };
  expect(decodeCursor(encodeCursor(place))).toEqual(place);
});

test("what is no cursor of ours is not read", () => {
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
