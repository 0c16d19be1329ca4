import { expect, test } from "vitest";

import { processorMs } from "../../../testing/processor-time.ts";
import { containsContact, type Customer, redact } from "./redact.ts";

const CUSTOMER: Customer = {
  customerName: "Zelda Quokkaworth",
  customerAddress: "Unit 3, 77 Xanadu Street, Leichhardt NSW 2040",
  customerEmail: "zq.private@mail.example",
  suburbName: "Leichhardt",
};
const redactFor = (customer: Partial<Customer>, text: string) => redact(text, { ...CUSTOMER, ...customer });

test("only the contact details are cut from a text; the rest stays as typed", () => {
  expect(redact("Ｌawn is 400m², ½ weeds – ring 0491 570 006, “nice” café 👍🏽 ❤️")).toBe(
    "Ｌawn is 400m², ½ weeds – ring ▮▮▮, “nice” café 👍🏽 ❤️",
  );
});

test("details beside each other become one blank", () => {
  expect(redact("0491 570 006 / jo@mail.example, thanks")).toBe("▮▮▮, thanks");
});

test("invisible characters are removed, except the joiners of emoji", () => {
  const hidden = Array.from("0491570006", (digit) =>
    String.fromCodePoint(0xe0000 + digit.charCodeAt(0)),
  ).join("");
  expect(redact(`Nice${hidden} lawn\u202E 👩‍🌾`)).toBe("Nice lawn 👩‍🌾");
});

test("the customer's own surname, street and mailbox are redacted", () => {
  const text =
    "QUOKKAWORTH here, the Quokkaworths' place, xanadu, third house. Write to zq.private. Leichhardt 2040 is lovely.";
  const shown = redactFor({}, text);
  for (const secret of ["quokkaworth", "xanadu", "zq.private"])
    expect(shown.toLowerCase()).not.toContain(secret);
  expect(shown).toContain("Leichhardt 2040 is lovely.");
});

test.each([
  ["a short one", "Mia Ng", "ask for a Ng"],
  ["one that is also a street type", "Mia Lane", "ask for a Lane"],
  ["one with an apostrophe", "Mia O'Brien", "ask for a O’Brien"],
  ["one without its apostrophe", "Mia O‘Brien", "ask for a OBrien"],
  ["half of a double one", "Mia Smith-Jones", "ask for a Jones"],
  ["one written in another Unicode form", "Mia Mu\u0308ller", "ask for a M\u00FCller"],
  ["a name of one word", "محمد", "ask for a محمد"],
  ["a Chinese name", "李小龙", "ask for a 李小龙"],
])("a surname is redacted in the text: %s", (_, customerName, text) => {
  expect(redactFor({ customerName }, text)).toBe("ask for a ▮▮▮");
});

test.each([
  ["9 Oak Street, Leichhardt", "end of oak street", "oak"],
  ["12 Garden Road, Leichhardt", "at 12 Garden Rd", "Garden"],
  ["12 Broadway, Glebe", "just off Broadway", "Broadway"],
])("the customer's street %s is redacted", (customerAddress, text, secret) => {
  expect(redactFor({ customerAddress }, text)).not.toContain(secret);
});

test("a street that is named like a garden, or like its suburb, is an ordinary word in the text", () => {
  const text = "Mow the garden near Leichhardt oval";
  const customerAddress = "12 Garden Road, Leichhardt NSW 2040";
  expect(redactFor({ customerAddress, customerEmail: null }, text)).toBe(text);
});

test("names of object properties are ordinary words", () => {
  const text = "constructor toString valueOf __proto__";
  expect(redact(text, CUSTOMER)).toBe(text);
});

test("a text has a contact if it names a number, an address of email, a link or a messenger", () => {
  for (const text of ["0491 570 006", "jo@mail.example", "lawnjo.com.au", "WhatsApp jo88"])
    expect(containsContact(`Mowing, ${text}`), text).toBe(true);
  expect(containsContact("Xanadu Lawns & Gardens, 24/7")).toBe(false);
});

/** Units that make a pattern try many ways when they are repeated. */
const HOSTILE_UNITS = [
  ..."0|0 |(0|04 |a|a.|a@|@|a@a.|.|a |at |dot |a dot |a at |www.|http://|a.com/|(at)|1|1 |1,|1/|1-|$1|1.1|2026-|a 1 1 1 1 1 1 ".split(
    "|",
  ),
  ..."12 Wattle |1 a |1 a b c |unit 1 |line |fb:|ig @|whatsapp |a_|_|微信|微|o |\u200D|\u0301|㌖|é|x|x1|Ab ".split(
    "|",
  ),
];

const LENGTH = 2_000;
/** Returns the processor's time for a text. The minimum of several tries leaves out other load on this machine. */
const minMs = (text: string, times: number) =>
  Math.min(
    ...Array.from({ length: 3 }, () =>
      processorMs(() => {
        for (let time = 0; time < times; time += 1) redact(text, CUSTOMER);
      }),
    ),
  );

test.each(HOSTILE_UNITS)("a text of %j repeated takes time in proportion to its length", (unit) => {
  const text = unit.repeat(Math.ceil((8 * LENGTH) / unit.length)).slice(0, 8 * LENGTH);
  const eightMs = minMs(text.slice(0, LENGTH), 8);
  // Eight times the length costs as much as eight texts. Quadratic work would cost eight times as much. Below 8 ms, the
  // steps of the kernel's timer dominate the result.
  expect(minMs(text, 1)).toBeLessThan(Math.max(eightMs, 8) * 4);
});
