/** Compares the forms' phone check with libphonenumber, which the Worker uses. */
import { readdirSync, readFileSync } from "node:fs";

import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { expect, test } from "vitest";

import { bookingSchema } from "./bookings.ts";
import { leadRequestSchema } from "./leads.ts";
import { formatPhone, phoneKey, readPhone, smsHref, telHref } from "./phone.ts";
import { phoneSchema, visitorPhoneSchema } from "./phone-fields.ts";
import { serviceQuoteSchema, servicesQuoteSchema } from "./simple-quotes.ts";

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
    if ((phoneKey(number) !== null) !== isValid) wrong.push(`${number} ${isValid}`);
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
  expect(real.filter((number) => phoneKey(number) === null)).toEqual([]);
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
  expect(problemOf("0491 570 006 (after 6pm on weekdays only please)")).toBeUndefined();
});

const MOBILE = "+61491570006";

test.each([
  ["0491 570 006", MOBILE, "0491 570 006", ""],
  ["491570006", MOBILE, "0491 570 006", ""],
  ["+61 (0)491 570 006", MOBILE, "0491 570 006", ""],
  ["(+61) 491 570 006", MOBILE, "0491 570 006", ""],
  ["+ 61 491 570 006", MOBILE, "0491 570 006", ""],
  ["0061 (0) 491-570-006", MOBILE, "0491 570 006", ""],
  ["\u202a+61 491 570 006\u202c", MOBILE, "0491 570 006", ""],
  ["0011 61 491 570 006", MOBILE, "0491 570 006", ""],
  ["61491570006", MOBILE, "0491 570 006", ""],
  ["0011 (61) 491 570 006", MOBILE, "0491 570 006", ""],
  ["[0491] 570 006", MOBILE, "0491 570 006", ""],
  ['"0491 570 006"!', MOBILE, "0491 570 006", ""],
  ["٠٤٩١ ٥٧٠ ٠٠٦", MOBILE, "0491 570 006", ""],
  ["O491 57O OO6", MOBILE, "0491 570 006", ""],
  ["0491,570,006", MOBILE, "0491 570 006", ""],
  ["0491‑570−006", MOBILE, "0491 570 006", ""],
  ["0491/570/006", MOBILE, "0491 570 006", ""],
  ["０４９１ ５７０ ００６", MOBILE, "0491 570 006", ""],
  ["0491 570 006 (after 6pm)", MOBILE, "0491 570 006", "after 6pm"],
  ["0491 570 006 6pm", MOBILE, "0491 570 006", "6pm"],
  ["0491 570 006 after 5.30pm", MOBILE, "0491 570 006", "after 5.30pm"],
  ["0491 570 006 - not before 9", MOBILE, "0491 570 006", "not before 9"],
  ["after 6: 0491 570 006", MOBILE, "0491 570 006", "after 6"],
  ["6pm 0491 570 006", MOBILE, "0491 570 006", "6pm"],
  ["5 0491 570 006", MOBILE, "0491 570 006", "5"],
  ["Ph: 0491 570 006 (Bob)", MOBILE, "0491 570 006", "Bob"],
  ["Mob 0491570006", MOBILE, "0491 570 006", ""],
  ["0491 570 006 or 02 5550 0123", MOBILE, "0491 570 006", "or 02 5550 0123"],
  ["0491 570 006 / 02 5550 0123", MOBILE, "0491 570 006", "02 5550 0123"],
  ["0491570006 0491570156", MOBILE, "0491 570 006", "0491570156"],
  ["0491 570 00 or 02 5550 0123", "+61255500123", "02 5550 0123", "0491 570 00 or"],
  ["02 5550 0123 x12", "+61255500123", "02 5550 0123", "ext. 12"],
  ["02 5550 0123x123", "+61255500123", "02 5550 0123", "ext. 123"],
  ["(02) 5550-0123 ext. 12", "+61255500123", "02 5550 0123", "ext. 12"],
  ["02 5550 0123 #12", "+61255500123", "02 5550 0123", "ext. 12"],
  ["02 5550 0123 12", "+61255500123", "02 5550 0123", "12"],
  ["1300 975 707", "+611300975707", "1300 975 707", ""],
  ["1800975711 (free)", "+611800975711", "1800 975 711", "free"],
  ["13 12 13", "+61131213", "13 12 13", ""],
  ["0147 145 678", "+61147145678", "0147 145 678", ""],
  ["+64 21 123 4567", "+64211234567", "+64 21 123 4567", ""],
  ["0064 21 123 4567", "+64211234567", "+64 21 123 4567", ""],
  ["0049 30 1234567", "+49301234567", "+49 30 1234567", ""],
  ["0011 49 30 1234 567", "+49301234567", "+49 30 1234 567", ""],
  ["+44 (0)20 7946 0958 ext 5", "+442079460958", "+44 20 7946 0958", "ext. 5"],
  ["+64 021 123 4567", "+64211234567", "+64 21 123 4567", ""],
  ["0011 64 0 21 123 4567", "+64211234567", "+64 21 123 4567", ""],
  ["+4407700900123", "+447700900123", "+44 7700900123", ""],
  ["+39 06 698 12345", "+390669812345", "+39 06 698 12345", ""],
  ["+1 (415) 555-2671 after 6pm", "+14155552671", "+1 415 555 2671", "after 6pm"],
])("%j is the number %s, shown as %j with the note %j", (typed, number, shown, note) => {
  expect(readPhone(typed)).toEqual({ number, shown, note });
});

test.each([
  "9999 1234 Bob",
  "0412 13 456",
  "0491 570 00",
  "04915700066",
  "0491 570 00 unit 6",
  "+61 412 345 67",
  "00491570006",
  "+491570006",
  "49 30 123456789",
  "+0 123 456 789",
  "0000000000",
  "1234567890",
  "0091 570 006",
  "0091 491 570 006",
  "00914 915 700",
  "+44 12345678",
  "+64 021 12 34",
  "+1 555 0100 99",
  "•••• ••• 006",
  "call me",
  "🌱🌱🌱🌱🌱🌱🌱🌱🌱🌱",
  "",
])("no part of %j is dialled", (typed) => {
  expect(readPhone(typed)).toBeNull();
  expect(telHref(typed)).toBeUndefined();
  expect(smsHref(typed, "Hi", false)).toBeUndefined();
  expect(formatPhone(typed)).toBe(typed);
});

test("what the library formats is read back as the same number", () => {
  for (let start = 0; start < 10_000; start += 7) {
    const number = parsePhoneNumberFromString(`0${String(start).padStart(4, "0")}45678`, "AU");
    if (!number?.isValid() || start === 0) continue;
    for (const text of [number.formatNational(), number.formatInternational(), number.number])
      expect(phoneKey(text), text).toBe(number.number);
  }
});

test("no country's mobile number is refused, and none is called with the zero that people dial at home", () => {
  const wrong: string[] = [];
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples);
    // The shortest numbers are those of islands with few phones.
    if (!example || example.countryCallingCode === "61" || example.number.length < 9) continue;
    const { number, countryCallingCode, nationalNumber } = example;
    if (phoneKey(number) !== number) wrong.push(number);
    // Countries with a code of three digits have few people.
    if (countryCallingCode.length !== 2) continue;
    const withZero = `+${countryCallingCode} 0${nationalNumber}`;
    const expected = parsePhoneNumberFromString(withZero)?.number;
    const key = phoneKey(withZero);
    if (key !== null && key !== expected) wrong.push(`${withZero} ${key} ${expected}`);
  }
  expect(wrong).toEqual([]);
});

test("a link calls the number in E.164, and 13, 1300 and 1800 as they are written", () => {
  expect(telHref("0491 570 006 (after 6pm)")).toBe("tel:+61491570006");
  expect(telHref("02 9999 1234 x12")).toBe("tel:+61299991234");
  expect(["13 12 13", "1300 975 707", "+61 1800 975 711"].map(telHref)).toEqual([
    "tel:131213",
    "tel:1300975707",
    "tel:1800975711",
  ]);
});

test("mobile and foreign numbers receive texts; landlines, 13, 1300 and 1800 do not", () => {
  const text = "Hi Anna, it's Pat & Co.\nOK?";
  const body = `body=${encodeURIComponent(text)}`;
  expect(smsHref("0491 570 006", text, false)).toBe(`sms:+61491570006?${body}`);
  expect(smsHref("0491 570 006 x9", text, true)).toBe(`sms:+61491570006&${body}`);
  expect(smsHref("0491 570 006", "", true)).toBe("sms:+61491570006");
  expect(smsHref("+64 21 123 4567", "", false)).toBe("sms:+64211234567");
  for (const typed of ["02 5550 0123", "13 12 13", "1300 975 707", "1800 975 711"])
    expect(smsHref(typed, text, false), typed).toBeUndefined();
});

test("a complete number may be shorter than ten characters", () => {
  const [visitor, account] = [visitorPhoneSchema("Short"), phoneSchema("Short")];
  for (const typed of ["491570006", "299991234"]) {
    expect(visitor.parse(typed)).toBe(typed);
    expect(account.parse(typed)).toBe(typed);
  }
  expect(account.parse("13 12 13")).toBe("13 12 13");
  expect(visitor.safeParse("13 12 13").error?.issues[0]?.message).toBe("Short");
  expect(account.safeParse("0412 345").error?.issues[0]?.message).toBe("Short");
});

test("a visitor is asked about a digit too many and about two numbers without a word between them", () => {
  const visitor = visitorPhoneSchema("");
  const problem = (typed: string) => visitor.safeParse(typed).error?.issues[0]?.message;
  expect(problem("0491 570 006 9")).toBe(WRONG);
  expect(problem("0491570006 0491570156")).toBe("Please enter one number only.");
  expect(problem("0491 570 006 x9")).toBeUndefined();
});

test("only contract/phone.ts builds links that call or text", () => {
  const root = new URL("../", import.meta.url);
  const files = ["web", "worker", "contract"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  );
  const sources = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  expect(sources.length).toBeGreaterThan(500);
  const byHand = sources.filter((file) =>
    /["'`](?:tel|sms):/.test(readFileSync(new URL(file, root), "utf8")),
  );
  expect(byHand).toEqual(["contract/phone.ts"]);
});

test("a text that is too long for a number is refused without searching it", () => {
  const hostile = "0 ".repeat(15_000);
  expect(readPhone(hostile)).toBeNull();
  expect(phoneKey(hostile)).toBeNull();
  expect(visitorPhoneSchema("Too short").safeParse(hostile).success).toBe(false);
  expect(phoneSchema("Too short").safeParse(hostile).success).toBe(false);
});
