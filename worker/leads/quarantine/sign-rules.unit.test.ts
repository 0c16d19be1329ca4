/** Signs that make a request suspicious, and signs that do not. */
import { expect, test } from "vitest";

import { leadRequestSchema } from "../../../contract/leads.ts";
import { quoteRequest } from "../../../testing/world.ts";
import { type Evidence, isSuspiciousChange, type Screening, suspicions } from "./sign-rules.ts";

const STRICT: Screening = {
  duplicateMs: 1,
  requestsPerAddress: 8,
  fastestFormMs: 3_000,
  suspicionPoints: 2,
};

const BROWSER =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

const requestWith = (overrides: Parameters<typeof quoteRequest>[0]) =>
  leadRequestSchema.parse(quoteRequest(overrides));

const PLAIN: Evidence = {
  request: requestWith({}),
  earlier: [],
  originKey: "a.b.c",
  fromNetwork: [],
  challenge: null,
  tookMs: 40_000,
  isStartReused: false,
  isUnlistedSuburb: false,
  providerTrace: null,
  userAgent: BROWSER,
  language: "en-AU",
  country: "AU",
  networkOwner: "Telstra",
};

const times = (n: number, key: string) => Array.from({ length: n }, () => key);
const reasonsOf = (evidence: Partial<Evidence>, screening: Partial<Screening> = {}) =>
  suspicions({ ...PLAIN, ...evidence }, { ...STRICT, ...screening });

test("an ordinary request has no signs", () => {
  expect(reasonsOf({})).toEqual([]);
});

test.each<[string, Partial<Evidence>, string[]]>([
  ["a suburb that we do not list", { isUnlistedSuburb: true }, ["unlisted_suburb"]],
  ["a provider's browser", { providerTrace: "provider_device" }, ["provider_device"]],
  [
    "the same service again",
    { earlier: [{ serviceType: ["hedge_trimming", "lawn_mowing"] }] },
    ["duplicate"],
  ],
  [
    "an impossible number",
    { request: requestWith({ customerPhone: "+999 1234 5678" }) },
    ["impossible_phone"],
  ],
  ["a filled honeypot", { request: requestWith({ homepage: "x" }) }, ["honeypot"]],
  ["a form sent at once", { tookMs: 2_999 }, ["too_fast"]],
  ["a used start", { isStartReused: true }, ["start_reused"]],
  ["no token", { challenge: "missing" }, ["challenge_missing"]],
  ["a wrong token", { challenge: "failed" }, ["challenge_failed"]],
  ["Turnstile away", { challenge: "unavailable" }, ["challenge_unavailable"]],
  ["eight from a /64", { fromNetwork: times(8, "a.b.c") }, ["many_from_address"]],
  ["sixteen from a /56", { fromNetwork: times(16, "a.b.x") }, ["many_from_address"]],
  ["32 from a /48", { fromNetwork: times(32, "a.x.x") }, ["many_from_address"]],
  [
    "eight from an IPv4 address",
    { originKey: "v.v.v", fromNetwork: times(8, "v.v.v") },
    ["many_from_address"],
  ],
])("%s quarantines a request", (_, evidence, reasons) => {
  expect(reasonsOf(evidence)).toEqual(reasons);
});

test.each<[string, Partial<Evidence>]>([
  ["another service", { earlier: [{ serviceType: ["landscaping"] }] }],
  ["no signed start", { tookMs: null }],
  ["a form that took three seconds", { tookMs: 3_000 }],
  ["a passed check", { challenge: "passed" }],
  ["seven from a /64", { fromNetwork: times(7, "a.b.c") }],
  ["fifteen from a /56", { fromNetwork: times(15, "a.b.x") }],
  ["31 from a /48", { fromNetwork: times(31, "a.x.x") }],
  ["many from another network", { fromNetwork: times(31, "x.x.x") }],
  ["many where the network is unknown", { originKey: null, fromNetwork: times(31, "a.b.c") }],
])("%s does not quarantine a request", (_, evidence) => {
  expect(reasonsOf(evidence)).toEqual([]);
});

const WEAK: readonly [string, Partial<Evidence>][] = [
  ["program", { userAgent: "curl/8.9.1" }],
  ["outside_network", { country: "RU" }],
  ["link", { request: requestWith({ specificRequests: "Buy at https://win.example" }) }],
  ["throwaway_email", { request: requestWith({ customerEmail: "x@mailinator.com" }) }],
];

test("one weak sign is not enough, and two are", () => {
  for (const [reason, evidence] of WEAK) {
    expect(reasonsOf(evidence), reason).toEqual([]);
    expect(reasonsOf(evidence, { suspicionPoints: 1 })).toEqual([reason]);
    for (const [other, more] of WEAK) {
      // A link and a throwaway address are both in the request.
      if (other === reason || ("request" in evidence && "request" in more)) continue;
      expect(reasonsOf({ ...evidence, ...more }).toSorted()).toEqual([reason, other].toSorted());
    }
  }
});

test("a foreign network of a hosting company scores one point", () => {
  expect(reasonsOf({ country: "US", networkOwner: "DigitalOcean, LLC" })).toEqual([]);
});

test.each<[string, Partial<Evidence>]>([
  ["no User-Agent", { userAgent: null }],
  ["no Accept-Language", { language: null }],
  ["a script", { userAgent: "python-requests/2.32.4" }],
])("%s is a program's", (_, evidence) => {
  expect(reasonsOf(evidence, { suspicionPoints: 1 })).toEqual(["program"]);
});

test.each(["AU", "NZ", null])("a sender from %s is near", (country) => {
  expect(reasonsOf({ country }, { suspicionPoints: 1 })).toEqual([]);
});

test.each(["M247 Europe SRL", "AMAZON-02", "Contabo GmbH", "Datacamp Limited"])(
  "%s hides its senders",
  (owner) => {
    expect(reasonsOf({ networkOwner: owner }, { suspicionPoints: 1 })).toEqual(["outside_network"]);
  },
);

test("0 switches each check off", () => {
  const evidence: Partial<Evidence> = {
    earlier: [{ serviceType: ["lawn_mowing"] }],
    fromNetwork: times(99, "a.b.c"),
    tookMs: 0,
    country: "RU",
    userAgent: null,
  };
  const off = { duplicateMs: 0, requestsPerAddress: 0, fastestFormMs: 0, suspicionPoints: 0 };
  expect(reasonsOf(evidence, off)).toEqual([]);
});

test("a strong sign is listed with the weak ones", () => {
  expect(reasonsOf({ isStartReused: true, country: "RU" })).toEqual(["start_reused", "outside_network"]);
});

const isSuspicious = (change: { text?: string; phone?: string; email?: string }) =>
  isSuspiciousChange({ text: null, phone: null, email: null, ...change }, STRICT);

test("a change is suspicious with an impossible number, or with a link and a throwaway address", () => {
  expect(isSuspicious({ phone: "+999 1234 5678" })).toBe(true);
  expect(isSuspicious({ phone: "0491 570 006", text: "Photos: https://photos.example" })).toBe(false);
  expect(isSuspicious({ text: "https://win.example", email: "x@yopmail.com" })).toBe(true);
});
