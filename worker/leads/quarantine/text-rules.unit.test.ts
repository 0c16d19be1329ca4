/** The rules detect copied texts and accept honest words and numbers. */
import { expect, test } from "vitest";

import { processorMs } from "../../../testing/processor-time.ts";
import {
  hasLink,
  isMadeUpPhone,
  isThrowaway,
  LIKE_MARKS,
  madeUpParts,
  phoneRange,
  sharedMarks,
  fingerprintText,
} from "./text-rules.ts";

const OWN =
  "We moved in last month and the old owner left a jungle, so please bring something for the blackberries and a trailer for what comes out of there.";

test.each([
  ["the same text", OWN, OWN],
  ["another name at the start", `Hi, Tim here. ${OWN}`, `Hi, Tom here. ${OWN}`],
  ["other capitals and punctuation", OWN, OWN.toUpperCase().replaceAll(",", " -")],
  ["one different word", OWN, OWN.replace("trailer", "ute")],
  ["other numbers", `${OWN} By 9 December.`, `${OWN} By 12 December.`],
])("%s is nearly the same text", (_, one, other) => {
  expect(sharedMarks(one, other)).toBeGreaterThanOrEqual(LIKE_MARKS);
});

test.each([
  [
    "another story",
    OWN,
    "The hedge along the driveway is twelve metres long and over my head, it needs a metre off the top and all of it taken away, please.",
  ],
  [
    "the same beginning",
    `Hi, could I please get a quote for mowing the front and back lawn. ${OWN}`,
    "Hi, could I please get a quote for mowing the front and back lawn. There is a big fig tree that drops fruit all over, so it would need a rake first, and the gate sticks.",
  ],
])("%s is a different text", (_, one, other) => {
  expect(sharedMarks(one, other)).toBeLessThan(LIKE_MARKS);
});

test.each([
  null,
  "",
  "Please mow the front and the back, thanks",
  "Services requested: Lawn mowing, Garden cleanup, Pressure washing, Yard cleanup, Green waste removal, Hedge and tree trimming, Garden maintenance, Landscaping, Lawn care",
])("a common text has no marks (%s)", (text) => {
  expect(fingerprintText(text)).toEqual([]);
});

test("the marks of the longest text are computed quickly", () => {
  for (const text of ["a ".repeat(1000), "x".repeat(2000), "㌖".repeat(2000), OWN.repeat(13)]) {
    const ms = processorMs(() => {
      for (let i = 0; i < 50; i++) fingerprintText(text);
    });
    expect(ms / 50).toBeLessThan(5);
  }
});

test.each([
  "0400 000 000",
  "0411 111 111",
  "0412 345 678",
  "+61 499 999 999",
  "0498 765 432",
  "02 9999 9999",
])("%s looks made up", (phone) => {
  expect(isMadeUpPhone(phone)).toBe(true);
});

test.each([
  "0491 570 006",
  "02 5550 0123",
  "0432 118 807",
  "1800 975 711",
  "13 13 13",
  "+64 21 123 4567",
  "no number",
])("%s does not look made up", (phone) => {
  expect(isMadeUpPhone(phone)).toBe(false);
});

const person = { customerName: "Anna Brown", customerAddress: "12 Banksia Street, Leichhardt" };

test.each([
  ["nothing", {}, 0],
  ["a joke name", { customerName: "Homer Simpson" }, 1],
  ["name and address", { customerName: "asdf asdf", customerAddress: "1 Fake Street" }, 2],
  ["all three", { customerName: "qwerty", customerAddress: "asdfgh 1", specificRequests: "aaaaaaaa" }, 3],
  ["names from everywhere", { customerName: "Nguyễn Thị Ng Krč Szczęsny O'Brien" }, 0],
  ["a long word in earnest", { specificRequests: "It is soooo long that the dog gets lost in it" }, 0],
  ["a dog", { specificRequests: "Please clean up after the dog first, sorry" }, 0],
])("made-up parts: %s", (_, change, parts) => {
  expect(madeUpParts({ ...person, ...change })).toBe(parts);
});

test("links and disposable addresses are detected, and other dots and hosts are not", () => {
  for (const text of ["see https://a.example", "www.photos.example", "rank-fast.com now"])
    expect(hasLink(text), text).toBe(true);
  for (const text of [null, "Mow it.Then call me", "3.5 metres", "No.10"])
    expect(hasLink(text), text ?? "no words").toBe(false);
  expect(isThrowaway("a@mailinator.com")).toBe(true);
  expect(isThrowaway("a@x.yopmail.fr")).toBe(true);
  expect(isThrowaway("a@bigpond.com")).toBe(false);
  expect(isThrowaway(null)).toBe(false);
});

test("the range around a mobile number is ten below and ten above", () => {
  expect(phoneRange("+61422700104")).toEqual({ from: "+61422700094", to: "+61422700114" });
  expect(phoneRange("+61295551200")).toBeNull();
  expect(phoneRange(null)).toBeNull();
});
