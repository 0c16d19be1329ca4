/** Lookup keys of requests, and the parsing of an admin's search. */
import { expect, test } from "vitest";

import { isPossiblePhone, searchKeys, streetKey } from "./contact-keys.ts";

// contract/phone.test.ts has the ways to write a number.
test.each(["0491 570 006", "(02) 5550 0123", "1800 975 711", "+64 21 123 4567"])(
  "%s is a valid phone number",
  (phone) => {
    expect(isPossiblePhone(phone)).toBe(true);
  },
);

test.each(["+999 1234 5678", "0491 570 00", "no phone"])("%s is not a valid phone number", (phone) => {
  expect(isPossiblePhone(phone)).toBe(false);
});

test("all spellings of an address have the same key", () => {
  const written = [
    "12 Banksia Street, Leichhardt NSW 2040",
    "12 banksia st leichhardt",
    "12 Banksia St., Leichhardt, New South Wales 2040, Australia",
  ];
  expect(new Set(written.map(streetKey))).toEqual(new Set(["12 banksia st leichhardt"]));
});

test.each([
  ["the house next door", "12 Banksia St, Leichhardt", "14 Banksia St, Leichhardt"],
  ["another flat in the house", "1/12 Banksia St, Leichhardt", "2/12 Banksia St, Leichhardt"],
  ["the same street elsewhere", "12 Banksia St, Leichhardt", "12 Banksia St, Annandale"],
  ["a house with a postcode for a number", "2040 Pacific Hwy, Berowra", "2041 Pacific Hwy, Berowra"],
])("%s is a different address", (_, one, other) => {
  expect(streetKey(one)).not.toBe(streetKey(other));
});

test("an admin's search recognises ids, phone numbers and email addresses only", () => {
  expect(searchKeys("lead_inner-west_0123456789abcdefghjk")).toEqual({
    id: "lead_inner-west_0123456789abcdefghjk",
  });
  expect(searchKeys("0491 570 006")).toEqual({ phone: "+61491570006" });
  expect(searchKeys(" Anna@Example.com ")).toEqual({ email: "anna@example.com" });
  expect(searchKeys("Leichhardt")).toBeNull();
  expect(searchKeys("2040")).toBeNull();
});
