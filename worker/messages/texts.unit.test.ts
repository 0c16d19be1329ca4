/** A text fits in one message of 160 GSM characters. Only very long names are cut. */
import { check, property, string } from "fast-check";
import { expect, test } from "vitest";

import { REVIEW_RULE_LABELS } from "../../contract/reviews.ts";
import { requestTakenText } from "../customer/request/messages.ts";
import { truncate, toGsmText, gsmLength, textAllowedAt, isOptOut } from "../outbox/rules.ts";
import { didTheyCallText, unclearReplyText } from "../customer/calls/messages.ts";
import { hiddenReviewText } from "../pipeline/reviews/messages.ts";

const fitsOneText = (text: string) => gsmLength(text) <= 160;

const reach = { contactPhone: "1800 975 711", takesReplies: true };
const LONGEST_JOB =
  "lawn mowing, garden maintenance, hedge trimming, pressure washing, green waste removal, turf laying";

test("the text about a taken request names the buyer and the job", () => {
  expect(requestTakenText({ services: "lawn mowing" }, "Green Thumbs", reach)).toBe(
    "Naturestrip 1800 975 711: Green Thumbs has taken your request for lawn mowing and will call you. Reply to message them, or STOP to opt out",
  );
  expect(
    requestTakenText({ services: "lawn mowing" }, "Green Thumbs", { ...reach, takesReplies: false }),
  ).toBe(
    "Naturestrip: Green Thumbs has taken your request for lawn mowing and will call you. Questions? Call 1800 975 711",
  );
});

test("the longest names, in any characters, fit one text that still names the sender, the job and the opt-out", () => {
  for (const company of [
    "W".repeat(120),
    "€[{~}]".repeat(20),
    "Ō’Brien – Söhne “Gärten” 🌱".repeat(5),
    "草坪",
    " ",
  ]) {
    const text = requestTakenText({ services: LONGEST_JOB }, company, reach);
    expect(fitsOneText(text), text).toBe(true);
    expect(text).toMatch(
      /^Naturestrip 1800 975 711: \S.* has taken your request for lawn.*Reply to message them, or STOP to opt out$/,
    );
  }
  expect(textFor("草坪")).toContain("711: A provider has");
});

const link = `https://naturestrip.example/request/${"t".repeat(43)}`;

test("the text that asks whether the provider called names the sender and the provider, with the whole link", () => {
  expect(didTheyCallText("Green Thumbs", link, { ...reach, takesReplies: false })).toBe(
    `Naturestrip 1800 975 711: Has Green Thumbs called you yet? Tell us: ${link}`,
  );
  for (const company of ["W".repeat(120), "€[{~}]".repeat(20), "草坪", " "])
    for (const takesReplies of [true, false]) {
      const text = didTheyCallText(company, link, { ...reach, takesReplies });
      expect(fitsOneText(text), text).toBe(true);
      expect(text).toMatch(/^Naturestrip 1800 975 711: Has \S.* called you yet\? Tell us: /);
      expect(text.includes(link)).toBe(true);
      expect(text.endsWith("STOP to opt out")).toBe(takesReplies);
    }
});

test("the text after an unclear reply has the whole link", () => {
  const text = unclearReplyText(link, reach);
  expect(text).toBe(`Naturestrip 1800 975 711: Was that a yes or a no? Tell us: ${link}. STOP to opt out`);
  expect(fitsOneText(text)).toBe(true);
});

test("the text about a hidden review names the provider and the whole rule", () => {
  for (const rule of Object.values(REVIEW_RULE_LABELS))
    for (const company of ["W".repeat(120), "€[{~}]".repeat(20), "草坪"])
      for (const takesReplies of [true, false]) {
        const text = hiddenReviewText(company, rule, { ...reach, takesReplies });
        expect(fitsOneText(text), text).toBe(true);
        expect(text).toMatch(/We've hidden your review of \S.{6,}\. /);
        expect(text).toContain(toGsmText(rule));
        expect(text.endsWith("STOP to opt out")).toBe(takesReplies);
      }
});

const textFor = (company: string) => requestTakenText({ services: LONGEST_JOB }, company, reach);

test("the job is shortened before the company's name", () => {
  expect(textFor("Jo")).toContain(
    "711: Jo has taken your request for lawn mowing, garden maintenance, hedg...",
  );
  expect(textFor("Green Thumbs Gardening")).toContain(
    "711: Green Thumbs Gardening has taken your request for lawn mowing, garden...",
  );
  expect(textFor("Green Thumbs Gardening and Lawns of Leichhardt")).toContain(
    "711: Green Thumbs Gardening and Law... has taken your request for lawn mowi...",
  );
});

test("any account name fits in one text", () => {
  const sound = property(
    string({ unit: "grapheme", maxLength: 120 }),
    string({ maxLength: 60 }),
    (company, services) => fitsOneText(requestTakenText({ services }, company, reach)),
  );
  expect(check(sound)).toMatchObject({ failed: false });
});

test.each([
  ["O’Brien & Sons – “Lawns”…", 'O\'Brien & Sons - "Lawns"...'],
  ["Māori Gärten Čáp", "Maori Gärten Cap"],
  ["Smith\nSons", "Smith Sons"],
  ["Mow 🌱 It", "Mow It"],
])("%j becomes %j", (typed, textFor) => {
  expect(toGsmText(typed)).toBe(textFor);
});

test("characters are counted like phone networks count them", () => {
  expect([gsmLength("abc"), gsmLength("€10"), gsmLength("[~]"), gsmLength("ç")]).toEqual([3, 4, 6, Infinity]);
  expect([truncate("Green", 5), truncate("Green Thumbs", 9), truncate("€€€€", 7)]).toEqual([
    "Green",
    "Green...",
    "€€...",
  ]);
});

test.each([
  "STOP",
  "stop",
  " Stop.",
  "STOP please",
  "Please stop",
  "stop texting me",
  "ok stop",
  "Unsubscribe",
  "unsubscribe me pls",
  "opt out",
  "OPTOUT",
  "opt-out please",
])("%j opts out of texts", (reply) => {
  expect(isOptOut(reply)).toBe(true);
});

test.each([
  "Thanks",
  "Please don't stop by before nine",
  "stopped raining",
  "",
  "OK end of week",
  "End of the week suits me",
  "Stop by any time after 3",
  "Remove the palm too please",
  "Cancel my request please, I found someone",
  "The bus stop is in front of the house",
])("%j does not opt out of texts", (reply) => {
  expect(isOptOut(reply)).toBe(false);
});

const at = (time: string) => Date.parse(`2026-11-23T${time}:00+11:00`);

test("no text is sent between 8 pm and 8 am in Sydney", () => {
  expect(textAllowedAt(at("08:00"))).toBeNull();
  expect(textAllowedAt(at("19:59"))).toBeNull();
  expect(textAllowedAt(at("20:00"))).toBe(at("08:00") + 24 * 3_600_000);
  expect(textAllowedAt(at("07:59"))).toBe(at("08:00"));
});
