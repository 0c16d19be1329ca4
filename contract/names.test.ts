import { expect, test } from "vitest";

import { providerCreationSchema, providerSignupSchema } from "./auth.ts";
import { greetingOf, isolate, isPersonName, normaliseUsername, toPlainLine } from "./names.ts";

const FORM = {
  username: "nora",
  password: "seven gum trees",
  firstName: "Nora",
  lastName: "Newcomer",
  phone: "0491 570 006",
  companyName: "Newcomer Gardens",
};

function messageOf(change: Record<string, unknown>): string | undefined {
  return providerSignupSchema.safeParse({ ...FORM, ...change }).error?.issues[0]?.message;
}

test.each([
  "Nora",
  "Anne-Marie",
  "O’Brien",
  "D'Arcy",
  "J. R.",
  "J.R.",
  "Nguyễn",
  "José María",
  "李",
  "Łukasz",
  "Jean Claude 2nd",
  "Dr. Seán",
  "O‘Brien",
  "O`Brien",
  "D´Arcy",
  "O′Neill",
  "Kaʻiulani",
  "Md.Rahman",
  "MD.RAHMAN",
  "Md.Al-Amin",
  "St.John",
  "Ma.Cristina",
])("%s is a valid name", (name) => {
  expect(isPersonName(name)).toBe(true);
  expect(messageOf({ firstName: name })).toBeUndefined();
  expect(greetingOf(name)).toBe(`Hello ${name},`);
});

test.each([
  "Nora,\n\nyour account is locked: call 0491 570 006",
  "Nora\r\nBcc: x@example.com",
  "Nora\u2028Next",
  "https://evil.example/reset",
  "Go to evil.example now",
  "www.evil",
  "evil.com",
  "nora@example.com",
  "http:evil",
  "<b>Nora</b>",
  "No\u200bra",
  "No\u202era",
  "No\u0000ra",
  "win $500",
  "x".repeat(51),
  "ＥＶＩＬ．ＣＯＭ",
  "evil。com",
  "Evil.Com",
  "Win.Shop",
  "Bit.Ly",
  "Md.Rahman.Com",
  "Md.Rahman evil.com",
  "St.evil.com",
])("%j is not a valid name, and the greeting omits it", (name) => {
  expect(isPersonName(name)).toBe(false);
  for (const field of ["firstName", "lastName"])
    expect(messageOf({ [field]: name }), field).toBe(
      "Please enter a name of up to 50 letters, without links",
    );
  expect(greetingOf(name)).toBe("Hello,");
});

test("a text becomes one line without invisible characters", () => {
  expect(toPlainLine("Evil\u202Eoga\r\nBcc: x@evil.example\u0000\u2028y")).toBe(
    "Eviloga Bcc: x@evil.example y",
  );
  expect(toPlainLine("Zoë’s & Sons, 12½ m²")).toBe("Zoë’s & Sons, 12½ m²");
});

test("a name written from right to left is isolated from a number beside it, and an email's subject keeps that", () => {
  for (const name of ["محمد علي", "דוד כהן", "ימים 24"]) {
    expect(isolate(name)).toBe(`\u2068${name}\u2069`);
    expect(toPlainLine(`${isolate(name)} 0491 570 006`)).toBe(`\u2068${name}\u2069 0491 570 006`);
    expect(greetingOf(name)).toBe(`Hello \u2068${name}\u2069,`);
  }
  for (const name of ["Anna Brown", "李小龙", "Zoë’s Lawns 24", ""]) expect(isolate(name)).toBe(name);
});

test("a company's name stays on one line", () => {
  for (const companyName of [
    "Smith & Sons Pty Ltd",
    "Mow.com.au",
    "3 Brothers' Lawns (Ryde)",
    "Lawns ☘\uFE0F",
    "ශ්\u200Dරී",
  ])
    expect(messageOf({ companyName })).toBeUndefined();
  for (const companyName of ["Smith\nSons", "Smith\u0000", "Sm\u200bith", "\u200D", "a \u200Cb"])
    expect(messageOf({ companyName })).toBe("Please retype this on one line, without hidden characters");
});

test.each([
  "nora",
  "Green.Thumb",
  "mow-it_2",
  "nora@example.com",
  "o'brien+1",
  "Ünal-Gärten",
  "Nguyễn",
  "łukasz",
])("%s is a valid username", (username) => expect(messageOf({ username })).toBeUndefined());

test.each([
  ["a NUL", "nora\u0000"],
  ["a zero-width space", "no\u200bra"],
  ["a hidden hyphen", "no\u00adra"],
  ["a joiner", "no\u200dra"],
  ["a direction override", "nora\u202e"],
  ["a byte order mark", "\ufeff\u2060nora"],
  ["a filler", "no\u3164ra"],
  ["an empty pattern", "no\u2800ra"],
  ["a variation selector", "nora\u{e0100}"],
  ["a combining joiner", "no\u034fra"],
  ["a combining mark without a letter", "nora\u0335"],
  ["a Cyrillic letter", "n\u043era"],
  ["a Greek letter", "n\u03bfra"],
  ["a dotless i", "d\u0131ana"],
  ["a phonetic letter", "n\u0251ra"],
  ["a small capital", "\u1d0fnora"],
  ["a slash", "nora/x"],
  ["an unpaired surrogate", "nora\ud800"],
])("%s is refused in a new username", (_, username) => {
  expect(messageOf({ username })).toBe("Please use only letters, digits and . _ - + @ ' in a username");
});

test("usernames match across wide letters, ligatures, combining marks and non-ASCII case", () => {
  for (const [typed, normal] of [
    ["ｎｏｒａ", "nora"],
    ["ﬁona", "fiona"],
    ["U\u0308nal", "ünal"],
    ["ÜNAL", "üNAL"],
    ["ünal", "ünal"],
    ["Nora", "Nora"],
  ] as const) {
    expect(normaliseUsername(typed)).toBe(normal);
    expect(providerSignupSchema.parse({ ...FORM, username: typed }).username).toBe(normal);
  }
  expect(messageOf({ username: "two words" })).toBe("Username must not contain spaces");
  // The length is checked after normalisation: one character may become three.
  expect(messageOf({ username: "㎜".repeat(127) })).toBeUndefined();
  expect(messageOf({ username: "㎜".repeat(128) })).toBeDefined();
  const made = { ...FORM, email: "nora@example.com", username: "ab" };
  expect(providerCreationSchema.safeParse(made).error?.issues[0]?.message).toBe(
    "Username must be at least 3 characters",
  );
});
