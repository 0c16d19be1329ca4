/** Compares the forms' phone check with libphonenumber, which the Worker uses. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { expect, test } from "vitest";

import { bookingSchema } from "./bookings.ts";
import { leadRequestSchema } from "./leads.ts";
import { hasValidNumber, visitorPhoneSchema } from "./phone.ts";
import { serviceQuoteSchema, servicesQuoteSchema } from "./simple-quotes.ts";

test.each([
  "0491 570 006",
  "(02) 5550 0123",
  "02 5550 0123",
  "+61 491 570 006",
  "+61 (0) 491 570 006",
  "0011 61 491 570 006",
  "61491570006",
  "0061 491 570 006",
  "0049 30 1234567",
  "0491‑570−006",
  "0491-570-006",
  "0491/570/006",
  "0491 570 006 (after six)",
  "0491 570 006 or 02 5550 0123",
  "0491 570 00 or 02 5550 0123",
  "1800 975 711",
  "1300 975 707",
  "+64 21 123 4567",
  "+49 30 1234567",
  "０４９１ ５７０ ００６",
])("%s can be called", (typed) => {
  expect(hasValidNumber(typed)).toBe(true);
});

test.each([
  "0412 345 67",
  "04123456789",
  "0491 570 00 unit 6",
  "call me maybe",
  "0000000000",
  "1234567890",
  "1111111111",
  "9876 5432 x",
  "+61 412 345 67",
  "+0 123 456 789",
  "+64 21 12",
  "49 30 123456789",
  "🌱🌱🌱🌱🌱🌱🌱🌱🌱🌱",
])("%s cannot be called", (typed) => {
  expect(hasValidNumber(typed)).toBe(false);
});

/**
 * Skip outback exchanges, which only the library distinguishes, and 00, the international prefix of other countries.
 */
const NUMBERS_IN_TEXT = /^8[59]1|^0/;

test("the form accepts the same Australian numbers as the library, for every prefix", () => {
  const wrong: string[] = [];
  for (let start = 0; start < 10_000; start++) {
    const digits = String(start).padStart(4, "0");
    if (NUMBERS_IN_TEXT.test(digits)) continue;
    const number = start % 10 === 0 ? `${digits}00776` : `0${digits}45678`;
    const isValid = parsePhoneNumberFromString(number, "AU")?.isValid() ?? false;
    if (hasValidNumber(number) !== isValid) wrong.push(`${number} ${isValid}`);
  }
  expect(wrong).toEqual([]);
});

test("no outback number is refused", () => {
  const numbers = Array.from(
    { length: 2_000 },
    (_, i) => `08${i % 2 ? 5 : 9}1${String(i >> 1).padStart(3, "0")}000`,
  );
  const real = numbers.filter((number) => parsePhoneNumberFromString(number, "AU")?.isValid());
  expect(real.length).toBeGreaterThan(100);
  expect(real.filter((number) => !hasValidNumber(number))).toEqual([]);
});

const TOO_SHORT = "Phone number must be at least 10 digits";
const WRONG = "Is a digit missing? From overseas, start with + and your country code.";

test.each([
  ["the three-step form", leadRequestSchema, "customerPhone", TOO_SHORT],
  ["the services page", servicesQuoteSchema, "customerPhone", TOO_SHORT],
  ["a service page", serviceQuoteSchema, "customerPhone", TOO_SHORT],
  ["a suburb's page", bookingSchema, "phone", "Phone number must be at least 10 characters"],
] as const)("%s shows what is wrong with a phone number", (_, schema, name, tooShort) => {
  const problemOf = (phone: string) =>
    schema.safeParse({ [name]: phone }).error?.issues.find(({ path }) => path[0] === name)?.message;
  expect(problemOf("0412 345 6")).toBe(WRONG);
  expect(problemOf("call me maybe")).toBe(WRONG);
  expect(problemOf("12345")).toBe(tooShort);
  expect(problemOf("0412 345 678")).toBeUndefined();
  for (const typed of ["9876 5432", "98765432", "(9876) 5432"])
    expect(problemOf(typed), typed).toBe("Please add the area code, such as 02.");
  for (const typed of [
    "0491 570 006 or 02 5550 0123",
    "0491 570 006 / 02 5550 0123",
    "0491570006,0491570156",
  ])
    expect(problemOf(typed), typed).toBe("Please enter one number only.");
  expect(problemOf("0491 570 006 (after six)")).toBeUndefined();
});

test.each([
  ["O491 57O OO6", "0491 570 006"],
  ["o2 555o o123", "02 5550 0123"],
  ["0491 570 006 (after school)", "0491 570 006 (after school)"],
])("%j is stored as %j", (typed, stored) => {
  expect(visitorPhoneSchema("").parse(typed)).toBe(stored);
});
