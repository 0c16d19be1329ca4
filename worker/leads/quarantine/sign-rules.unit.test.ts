/** Signs that make a request suspicious, and signs that do not. */
import { expect, test } from "vitest";

import { leadRequestSchema } from "../../../contract/leads.ts";
import { quoteRequest } from "../../../testing/world.ts";
import { type Requester, type Evidence, type Screening, suspicions } from "./sign-rules.ts";

const STRICT: Screening = {
  duplicateMs: 1,
  requestsPerAddress: 8,
  fastestFormMs: 3_000,
  suspicionPoints: 2,
};

const LONG =
  "We moved in last month and the old owner left a jungle, so please bring something for the blackberries and a trailer.";

const ANNA: Requester = {
  customerName: "Anna Brown",
  phoneKey: "+61255500123",
  emailKey: "anna.brown@example.com",
  streetKey: "12 banksia st leichhardt",
  suburbId: "sub_leichhardt",
  originKey: "a.b.c",
  specificRequests: null,
};

/** Another person at another place. */
const other = (n: number, overrides: Partial<Requester> = {}): Requester => ({
  customerName: `Uma Unknown${n}`,
  phoneKey: `+6149157${n}`,
  emailKey: null,
  streetKey: `${n} wattle rd manly`,
  suburbId: "sub_manly",
  originKey: "a.b.c",
  specificRequests: null,
  ...overrides,
});

const ON_IPV4 = { ...ANNA, originKey: "v4.v4.v4" };

/** Another house in Anna's suburb with Anna's surname. */
const namesakeInSuburb = (n: number) =>
  other(n, { customerName: `Zoe${n} Brown`, suburbId: ANNA.suburbId, originKey: "v4.v4.v4" });

const PLAIN: Evidence = {
  request: leadRequestSchema.parse(quoteRequest()),
  form: "quote",
  requester: ANNA,
  earlier: [],
  fromNetwork: [],
  withContact: [],
  nearPhone: [],
  sameWords: [],
  inSuburb: [],
  forSuburb: { rush: 0, day: 0, before: 12 },
  challenge: null,
  tookMs: 40_000,
  isStartReused: false,
  hasStartKey: true,
  viaPage: false,
  isBot: false,
  distance: 0,
  isHostingNetwork: false,
};

const requestWith = (change: object) => ({
  request: leadRequestSchema.parse({ ...quoteRequest(), ...change }),
});

/** A request with an unvalidated number. The form's schema refuses most invalid ones. */
const evidenceFor = (change: object) => ({
  request: { ...leadRequestSchema.parse(quoteRequest()), ...change },
});

const found = (evidence: Partial<Evidence>, screening: Partial<Screening> = {}) =>
  suspicions({ ...PLAIN, ...evidence }, { ...STRICT, ...screening });

const many = (n: number, make: (i: number) => Requester = () => ANNA) =>
  Array.from({ length: n }, (_, i) => make(i));

test.each<[string, Partial<Evidence>, string[]]>([
  ["an ordinary request", {}, []],
  ["the same service again", { earlier: [{ serviceType: ["lawn_mowing"] }] }, ["duplicate"]],
  [
    "one of several services again",
    {
      ...requestWith({ serviceType: ["hedge_trimming", "lawn_mowing"] }),
      earlier: [{ serviceType: ["lawn_mowing"] }],
    },
    ["duplicate"],
  ],
  ["another service at the same place", { earlier: [{ serviceType: ["hedge_trimming"] }] }, []],
  ["an impossible number", evidenceFor({ customerPhone: "1111111111" }), ["impossible_phone"]],
  ["text instead of a number", evidenceFor({ customerPhone: "call me maybe" }), ["impossible_phone"]],
  ["a filled honeypot", requestWith({ homepage: "https://spam.example" }), ["honeypot"]],
  ["a honeypot with spaces only", requestWith({ homepage: "  " }), []],
  ["a form sent at once", { tookMs: 900 }, ["too_fast"]],
  ["a form sent after the minimum time", { tookMs: 3_000 }, []],
  ["a reused start", { isStartReused: true }, ["start_reused"]],
  ["the eighth request of one person from a network", { fromNetwork: many(7) }, []],
  ["the ninth request from a network", { fromNetwork: many(8) }, ["many_from_address"]],
  ["a request that passed Cloudflare's check", { challenge: "passed" }, []],
  ["a request without Cloudflare's check", { challenge: "missing" }, ["challenge_missing"]],
  ["a request that failed Cloudflare's check", { challenge: "failed" }, ["challenge_failed"]],
  ["a request that could not be checked", { challenge: "unavailable" }, ["challenge_unavailable"]],
  ["a call without a form start", { tookMs: null }, ["not_our_form"]],
  ["a form without JavaScript", { tookMs: null, viaPage: true }, []],
  ["a form without a start while starts are not signed", { tookMs: null, hasStartKey: false }, []],
  [
    "a form without JavaScript from abroad",
    { tookMs: null, viaPage: true, distance: 1 },
    ["no_script", "abroad"],
  ],
  ["a program", { isBot: true }, []],
  ["a program in a data centre", { isBot: true, isHostingNetwork: true }, ["program", "hidden_network"]],
  ["a foreign browser abroad", { distance: 2 }, ["abroad"]],
  ["two strangers behind one network", { fromNetwork: many(2, other) }, []],
  ["three strangers behind one network", { fromNetwork: many(3, other) }, ["others_from_network"]],
  [
    "two strangers from one suburb behind one network",
    { fromNetwork: many(2, (n) => other(n, { suburbId: ANNA.suburbId })) },
    ["others_from_network"],
  ],
  [
    "three houses of one family in a suburb",
    { requester: ON_IPV4, fromNetwork: many(2, namesakeInSuburb) },
    [],
  ],
  [
    "four houses with one surname in a suburb",
    { requester: ON_IPV4, fromNetwork: many(3, namesakeInSuburb) },
    ["others_from_network"],
  ],
  [
    "a family behind one network",
    {
      fromNetwork: [
        other(1, { customerName: "Ben brown", suburbId: ANNA.suburbId }),
        other(2, { streetKey: ANNA.streetKey }),
        other(3, { emailKey: ANNA.emailKey }),
      ],
    },
    [],
  ],
  [
    "another person's text",
    {
      ...requestWith({ specificRequests: LONG }),
      requester: { ...ANNA, specificRequests: LONG },
      sameWords: [other(1, { specificRequests: LONG })],
    },
    ["copied_text"],
  ],
  ["the same person's text", { sameWords: [ANNA] }, []],
  [
    "two neighbours' short text in a busy suburb",
    {
      ...requestWith({ specificRequests: "Lawns please" }),
      requester: { ...ANNA, specificRequests: "Lawns please" },
      inSuburb: many(2, (n) => other(n, { specificRequests: "lawns, please!" })),
      forSuburb: { rush: 3, day: 3, before: 0 },
    },
    ["copied_text", "busy_suburb"],
  ],
  [
    "a stranger's neighbouring number",
    { requester: { ...ANNA, phoneKey: "+61412000100" }, nearPhone: [other(1, { phoneKey: "+61412000104" })] },
    ["phone_series"],
  ],
  [
    "the partner's neighbouring number",
    { nearPhone: [other(1, { customerName: "Tom Brown", suburbId: ANNA.suburbId })] },
    [],
  ],
  ["a number with one other name", { withContact: many(1, other) }, []],
  ["a number with two other names", { withContact: many(2, other) }, ["phone_of_another"]],
  ["a busy suburb alone", { forSuburb: { rush: 9, day: 9, before: 3 } }, []],
  [
    "a busy suburb and a hidden network",
    { forSuburb: { rush: 3, day: 3, before: 3 }, isHostingNetwork: true },
    ["hidden_network", "busy_suburb"],
  ],
  [
    "a usually busy suburb and a hidden network",
    { forSuburb: { rush: 8, day: 60, before: 440 }, isHostingNetwork: true },
    [],
  ],
  ["a bot without a suburb", { forSuburb: null, isBot: true }, ["program", "no_such_place"]],
  [
    "a link and a disposable email address",
    requestWith({ specificRequests: "see www.x.example", customerEmail: "a@yopmail.com" }),
    ["link", "throwaway_email"],
  ],
  [
    "everything at once",
    {
      ...evidenceFor({ customerPhone: "1111111111", homepage: "x" }),
      tookMs: 1,
      distance: 1,
      fromNetwork: many(9, other),
    },
    ["impossible_phone", "honeypot", "too_fast", "many_from_address", "abroad", "others_from_network"],
  ],
])("%s", (_, evidence, reasons) => {
  expect(found(evidence)).toEqual(reasons);
});

test("a check that is off finds nothing", () => {
  const off = { duplicateMs: 0, requestsPerAddress: 0, fastestFormMs: 0, suspicionPoints: 0 };
  const evidence = {
    tookMs: 0,
    fromNetwork: many(99, other),
    earlier: [{ serviceType: ["lawn_mowing"] }],
    sameWords: many(9, other),
    distance: 2,
  } as const;
  expect(found(evidence, off)).toEqual([]);
});

test("an operator can require more signs before a request is quarantined", () => {
  const evidence = { isBot: true, isHostingNetwork: true };
  expect(found(evidence, { suspicionPoints: 3 })).toEqual([]);
  const busy = { forSuburb: { rush: 9, day: 9, before: 0 } };
  expect(found(busy, { suspicionPoints: 1 }), "a busy suburb never decides alone").toEqual([]);
  expect(found({ ...evidence, distance: 1 }, { suspicionPoints: 3 })).toEqual([
    "program",
    "abroad",
    "hidden_network",
  ]);
});
