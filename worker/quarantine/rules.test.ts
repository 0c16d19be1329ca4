/** What makes a request suspicious, and what must not. */
import { expect, test } from "vitest";

import {
  type Evidence,
  isPossiblePhone,
  networkOf,
  phoneKey,
  type Screening,
  searchKeys,
  streetKey,
  suspicions,
} from "./rules.ts";

const STRICT: Screening = { duplicateMs: 1, requestsPerAddress: 8, fastestFormMs: 3_000 };

const PLAIN: Evidence = {
  phone: "0491 570 006",
  serviceType: ["lawn_mowing"],
  homepage: "",
  openMs: 40_000,
  earlier: [],
  fromAddress: 0,
  challenge: null,
};

const found = (evidence: Partial<Evidence>, screening: Partial<Screening> = {}) =>
  suspicions({ ...PLAIN, ...evidence }, { ...STRICT, ...screening });

test.each<[string, Partial<Evidence>, string[]]>([
  ["an ordinary request", {}, []],
  ["the same service again", { earlier: [{ serviceType: ["lawn_mowing"] }] }, ["duplicate"]],
  [
    "one of several services again",
    { serviceType: ["hedge_trimming", "lawn_mowing"], earlier: [{ serviceType: ["lawn_mowing"] }] },
    ["duplicate"],
  ],
  ["another service at the same place", { earlier: [{ serviceType: ["hedge_trimming"] }] }, []],
  ["a number nobody can have", { phone: "0000000000" }, ["impossible_phone"]],
  ["words for a number", { phone: "call me maybe" }, ["impossible_phone"]],
  ["a filled trap", { homepage: "https://spam.example" }, ["honeypot"]],
  ["a trap with nothing but spaces", { homepage: "  " }, []],
  ["no trap at all", { homepage: undefined }, []],
  ["a form sent at once", { openMs: 900 }, ["too_fast"]],
  ["a form sent after just long enough", { openMs: 3_000 }, []],
  ["a form sent without script", { openMs: undefined }, []],
  ["the eighth request from an address", { fromAddress: 7 }, []],
  ["the ninth request from an address", { fromAddress: 8 }, ["many_from_address"]],
  ["a request that passed Cloudflare's check", { challenge: "passed" }, []],
  ["a request without Cloudflare's check", { challenge: "missing" }, ["challenge_missing"]],
  ["a request that failed Cloudflare's check", { challenge: "failed" }, ["challenge_failed"]],
  ["a request nobody could check", { challenge: "unavailable" }, ["challenge_unavailable"]],
  [
    "everything at once",
    { phone: "1", homepage: "x", openMs: 1, fromAddress: 99, earlier: [{ serviceType: ["lawn_mowing"] }] },
    ["duplicate", "impossible_phone", "honeypot", "too_fast", "many_from_address"],
  ],
])("%s", (_, evidence, reasons) => {
  expect(found(evidence)).toEqual(reasons);
});

test("a check that is switched off finds nothing", () => {
  const off = { duplicateMs: 0, requestsPerAddress: 0, fastestFormMs: 0 };
  expect(found({ openMs: 0, fromAddress: 99, earlier: [{ serviceType: ["lawn_mowing"] }] }, off)).toEqual([]);
});

test.each([
  "0491 570 006",
  "(02) 5550 0123",
  "+61 491 570 006",
  "61491570006",
  "0491-570-006",
  "0491 570 006 (after six)",
  "0491 570 006 or 02 5550 0123",
  "1800 975 711",
  "+64 21 123 4567",
  "０４９１ ５７０ ００６",
])("%s can be rung", (phone) => {
  expect(isPossiblePhone(phone)).toBe(true);
});

test.each(["0000000000", "1111111111", "1234567890", "0491 570 00", "04915700066", "9999 9999", "no phone"])(
  "%s cannot be rung",
  (phone) => {
    expect(isPossiblePhone(phone)).toBe(false);
  },
);

test("a phone number is the same however it is written", () => {
  const written = ["0491 570 006", "+61491570006", "(0491) 570-006", "61 491 570 006"];
  expect(new Set(written.map(phoneKey))).toEqual(new Set(["+61491570006"]));
});

test("an address is the same however it is written", () => {
  const written = [
    "12 Banksia Street, Leichhardt NSW 2040",
    "12 banksia st leichhardt",
    "12 Banksia St., Leichhardt, New South Wales 2040, Australia",
  ];
  expect(new Set(written.map(streetKey))).toEqual(new Set(["12 banksia st leichhardt"]));
});

test.each([
  ["the house next door", "12 Banksia St, Leichhardt", "14 Banksia St, Leichhardt"],
  ["another flat of the house", "1/12 Banksia St, Leichhardt", "2/12 Banksia St, Leichhardt"],
  ["the same street elsewhere", "12 Banksia St, Leichhardt", "12 Banksia St, Annandale"],
  ["a house with a postcode for a number", "2040 Pacific Hwy, Berowra", "2041 Pacific Hwy, Berowra"],
])("%s is another place", (_, one, other) => {
  expect(streetKey(one)).not.toBe(streetKey(other));
});

test("an address of version 6 stands for its household, one of version 4 for itself", () => {
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:0db8:0001:0002:ffff:1:2:3"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0");
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
});

test("an admin's search knows ids, numbers and addresses, and nothing else", () => {
  expect(searchKeys("lead_inner-west_0123456789abcdefghjk")).toEqual({
    id: "lead_inner-west_0123456789abcdefghjk",
  });
  expect(searchKeys("0491 570 006")).toEqual({ phone: "+61491570006" });
  expect(searchKeys(" Anna@Example.com ")).toEqual({ email: "anna@example.com" });
  expect(searchKeys("Leichhardt")).toBeNull();
  expect(searchKeys("2040")).toBeNull();
});
