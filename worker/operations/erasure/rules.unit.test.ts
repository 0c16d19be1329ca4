/** How the erasure recognises a person's number in what visitors and providers typed. */
import { expect, test } from "vitest";

import { hasNumberOf, personOf } from "./rules.ts";

const [person, stranger] = ["0491570999", "0491570998"].map((phone) => personOf({ phone, email: null })!);

test.each([
  "0491\u2009570\u2009999",
  "0491\u202F570\u00A0999",
  "0491–570–999",
  "0491\u2011570\u2212999",
  "0491 570 999 after six",
  "0491 570 999 (Ivy's mobile)",
  "０４９１５７０９９９",
  "+61 (0)491 570 999",
  "0061 491570999",
  "+61491570999",
  "Ph: 0491.570.999",
  "02 5550 0123 or 0491570999",
  "0491570999 / 02 5550 0124",
])("%j contains the person's number", (phone) => {
  expect(hasNumberOf(person!, phone)).toBe(true);
  expect(hasNumberOf(stranger!, phone)).toBe(false);
});
