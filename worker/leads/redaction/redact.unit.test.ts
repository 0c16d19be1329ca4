import { expect, test } from "vitest";

import { SLOW_UNITS } from "../../../testing/corpus/slow-texts.ts";
import { processorMs } from "../../../testing/processor-time.ts";
import { redact } from "./redact.ts";

/** Texts that contain a customer's contact details, and the secrets that redaction must remove. */
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
  ["O491 S7O OO6", ["O491", "S7O", "OO6"]],
  ["call O491 57O OOb or O4Z1 57O BO6", ["O4Z1", "57O", "BO6"]],
  ["gmail me, jo dot citizen", ["jo", "citizen"]],
  ["I use gmail. jo dot citizen there", ["jo", "citizen"]],
  ["jo dot citizen AT the google mail", ["jo", "citizen"]],
  ["jocitizen at my gmail", ["jocitizen"]],
  ["nought 4 9 1 / fifty-seven hundred", ["nought", "4", "fifty", "hundred"]],
  ["nought 4 9 1 / fifty-seven hundred / oh six", ["nought", "4", "fifty", "hundred", "six"]],
  ["corner house, Banksia and Wattle, no 12", ["Banksia", "Wattle", "12"]],
  ["Corner block at Banksia & Wattle, number 12", ["Banksia", "Wattle", "12"]],
];

test.each(DISGUISES)("the contact details in %j are redacted", (text, secrets) => {
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
  "Lots 3b, 4b, 5b and 6b; people in their 40s, 50s, 60s and 70s.",
  "Beds B12, B13, B14 and B10 need mulch, S1 to S4 do not.",
  "About fifteen hundred square metres, twelve hundred dollars at most.",
  "Lawn of twelve hundred and fifty square metres, 0 slope, 2 trees.",
  "Corner house, Big dog and a cat. Corner block, no 2 sides alike.",
  "Corner house, Friendly Dog.",
])("text without contact details does not change: %j", (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  ["Lawn is 400m², 20 x 15 m ½ weeds, “nice” house – café side"],
  ["Mon 7:30-9:30, 01/12/2026, $80–$120 👍🏽 ❤️"],
])("text without hidden characters does not change: %j", (text) => {
  expect(redact(text)).toBe(text);
});

test("invisible characters are removed", () => {
  const hidden = Array.from("0491570006", (digit) =>
    String.fromCodePoint(0xe0000 + digit.charCodeAt(0)),
  ).join("");
  expect(redact(`Nice${hidden} lawn\u202E`)).toBe("Nice lawn");
});

test("names of object properties are ordinary words", () => {
  for (const word of ["constructor", "toString", "__proto__ x", "hasOwnProperty"])
    expect(redact(`my ${word} here`)).toContain("my");
  expect(redact("constructor toString valueOf")).toBe("constructor toString valueOf");
});

test("parts of the customer's own number are redacted, even next to other numbers", () => {
  for (const text of [
    "it ends 570 006",
    "1 dog, 57 pots, 0006 bags",
    "five seven zero, and 2 dogs, then 006",
  ])
    expect(redact(text, { ...CUSTOMER, customerPhone: "0491 570 006" }), text).not.toMatch(/57|006|seven/);
});

const CUSTOMER = {
  customerName: "Ab Ab Cd Ef one two",
  customerAddress: "1 a dot Street at x one 2 www com",
  customerEmail: "a.a.a@a.example",
  customerPhone: "0101010101",
  suburbName: null,
  suburbPostcode: null,
};

/**
 * Returns the CPU time for a text repeated `times` times. Takes the minimum of several tries, so other load on this
 * machine does not count. Some kernels count in steps of 4 ms, so short texts are measured several at a time.
 */
function minMs(text: string, times: number): number {
  return Math.min(
    ...Array.from({ length: 5 }, () =>
      processorMs(() => {
        for (let time = 0; time < times; time += 1) redact(text, CUSTOMER);
      }),
    ),
  );
}

/**
 * Returns how many times slower this machine is now than the reference machine for the 5 ms limit. A fixed match took
 * 20 ms there.
 */
function cpuFactor(): number {
  const text = "o1 a(1. ".repeat(2_000);
  const tries = Array.from({ length: 5 }, () =>
    processorMs(() => {
      for (let time = 0; time < 100; time += 1) text.replace(/[a-z]\W?(\d)/gu, "$1").normalize("NFKC");
    }),
  );
  return Math.max(1, Math.min(...tries) / 20);
}

test("redaction time grows linearly with the length of any text", () => {
  const LENGTH = 2_000;
  const costs = SLOW_UNITS.map((unit) => {
    const text = unit.repeat(Math.ceil((8 * LENGTH) / unit.length));
    const eightMs = minMs(text.slice(0, LENGTH), 8);
    return { unit, ms: eightMs / 8, eightMs, longMs: minMs(text.slice(0, 8 * LENGTH), 1) };
  });
  const slower = cpuFactor();
  const worst = costs.toSorted((a, b) => b.ms - a.ms)[0]!;
  process.stdout.write(
    `The costliest ${LENGTH} signs repeat ${JSON.stringify(worst.unit)}: ${worst.ms.toFixed(1)} ms (×${slower.toFixed(1)})\n`,
  );
  for (const { unit, ms, eightMs, longMs } of costs) {
    // Eight times the length costs as much as eight texts, plus some garbage collection. Quadratic work would cost
    // eight times as much. Below 8 ms, the kernel's timer steps dominate the result.
    expect(longMs, unit).toBeLessThan(Math.max(eightMs, 8) * 4);
    // The limit is 5 ms on an idle machine.
    expect(ms, unit).toBeLessThan(10 * slower);
  }
}, 60_000);
