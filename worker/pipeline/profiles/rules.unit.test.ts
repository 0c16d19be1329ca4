/** Tests the rules of public pages: slugs, refused words and the order on suburb pages. */
import { expect, test } from "vitest";

import { compareLocal, validateDescription, slugOf } from "./rules.ts";

test.each([
  ["Green Strip", "green-strip"],
  ["  Zoë’s Lawns & Co. ", "zoes-lawns-co"],
  ["草坪", "provider"],
  ["---", "provider"],
  [`${"Very ".repeat(12)}long`, "very-very-very-very-very-very-very-very"],
])("%s becomes the slug %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

const HONEST = "We mow lawns and trim hedges in the inner west, and have done so for twelve years.";

test.each([
  "Call me on 0412 345 678.",
  "Write to zoe@example.com.",
  "See www.zoeslawns.com.au for more.",
  "Find us on instagram: zoeslawns",
])("words with contact details are refused: %s", (words) => {
  expect(validateDescription(`${HONEST} ${words}`, true)).toMatch(/phone numbers, email addresses and links/);
});

test.each([
  HONEST,
  "Two crew, one ute and 30 years between us. From $60 a visit, 7 days a week, all year. ABN on request.",
  "We wash paving, decks and fences, and mow along the fence line.",
  "We clean up after 100 mm of rain, weed between pavers and trim hedges up to 3 m.",
])("garden work is fine without a licence: %s", (words) => {
  expect(validateDescription(words, false)).toBeNull();
});

test.each([
  ["We also build retaining walls.", "retaining walls"],
  ["New fences, gates and decking.", "fences"],
  ["We lay pavers and wash them afterwards.", "pavers"],
  ["ＦＥＮＣＩＮＧ from $90 a metre", "fencing"],
])("building work needs a licence: %s", (words, work) => {
  expect(validateDescription(`${HONEST} ${words}`, false)).toContain(`“${work}”, needs a licence`);
  expect(validateDescription(`${HONEST} ${words}`, true)).toBeNull();
});

const business = (name: string, inTime: number, counted: number, distanceKm: number | null) => ({
  name,
  calls: counted === 0 ? null : { counted, inTime },
  distanceKm,
});

test("a suburb's page orders by standing, then by distance", () => {
  const shown = [
    business("low, near", 6, 10, 1),
    business("new, far", 0, 0, 30),
    business("new, near", 9, 9, 2),
    business("good, far", 10, 10, 40),
    business("good, near", 7, 10, 3),
    business("good, unknown", 10, 10, null),
  ].toSorted(compareLocal);
  expect(shown.map(({ name }) => name)).toEqual([
    "good, near",
    "good, far",
    "good, unknown",
    "new, near",
    "new, far",
    "low, near",
  ]);
});
