import { expect, test } from "vitest";

import { chooseOffers, isRelated, MAX_OFFERS } from "./rules.ts";

const account = (id: string, details: { phone?: string; email?: string; abn?: string } = {}) => ({
  id,
  phone: null,
  email: null,
  abn: null,
  ...details,
});

test("offers keep the order in which the businesses lost the lead", () => {
  const eligible = ["c", "a", "b"].map((id) => account(id));
  expect(chooseOffers(["b", "x", "a", "c"], eligible, [account("first")])).toEqual(["b", "a", "c"]);
});

test(`at most ${MAX_OFFERS} businesses get an offer`, () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const eligible = ids.map((id) => account(id));
  expect(chooseOffers(ids, eligible, [])).toEqual(ids.slice(0, MAX_OFFERS));
});

test("a business that shares a phone number, an email address or an ABN with the first buyer gets none", () => {
  const first = account("first", { phone: "0412 345 678", email: "Jo@x.test", abn: "51 824 753 556" });
  for (const details of [{ phone: "+61412345678" }, { email: "jo@x.test" }, { abn: "51824753556" }])
    expect(isRelated(account("other", details), first)).toBe(true);
  expect(isRelated(account("other", { phone: "0412 345 679" }), first)).toBe(false);
  expect(isRelated(account("other"), account("first"))).toBe(false);
  expect(chooseOffers(["other"], [account("other", { abn: "51824753556" })], [first])).toEqual([]);
});
