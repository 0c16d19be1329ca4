/** Suggestions while a visitor types an address. They cover all localities and read few rows. */
import { expect, test } from "vitest";

import namesakes from "../../../data/interstate-places.json" with { type: "json" };
import { countingDb } from "../../../testing/counting-db.ts";
import { call, callWith, db, testEnv } from "../../../testing/client.ts";
import { formatSuburb, UNCLEAR_SUBURB, replaceSuburb } from "../../../contract/address.ts";
import type { AddressPlace } from "../../../contract/suburbs.ts";
import { quoteRequest } from "../../../testing/world.ts";
import { suburbs } from "../../tables.ts";
import { findPlace, placeHints } from "./rules.ts";

async function suggest(q: string): Promise<string[]> {
  const response = await call("GET", `/api/suburbs/suggest?${new URLSearchParams({ q })}`);
  expect(response.status).toBe(200);
  const found = (await response.json()) as { name: string; state: string; postcode: string }[];
  return found.map(({ name, state, postcode }) => `${name} ${state} ${postcode}`);
}

test.each([
  ["leichh", "Leichhardt NSW 2040"],
  ["12 Banksia Street, Surry Hi", "Surry Hills NSW 2010"],
  ["north syd", "North Sydney NSW 2060"],
  // A last letter of its own is no abbreviation yet.
  ["dee w", "Dee Why NSW 2099"],
  ["north s", "North Sydney NSW 2060"],
  ["chatswood w", "Chatswood West NSW 2067"],
  ["2880", "Broken Hill NSW 2880"],
  ["tibooburra", "Tibooburra NSW 2880"],
  ["St Clair NSW 2759", "St Clair NSW 2759"],
  ["parramata", "Parramatta NSW 2150"],
  ["paramat", "Parramatta NSW 2150"],
  ["5 Elm St mt druitt", "Mount Druitt NSW 2770"],
  ["deewhy", "Dee Why NSW 2099"],
  ["brighton le sands", "Brighton-le-Sands NSW 2216"],
  ["surrey hills", "Surry Hills NSW 2010"],
  ["nth sydney", "North Sydney NSW 2060"],
  ["pt macquarie", "Port Macquarie NSW 2444"],
  ["Mount St Thomas", "Mount Saint Thomas NSW 2500"],
  ["2 High St, mount saint th", "Mount Saint Thomas NSW 2500"],
  ["saint ives", "St Ives NSW 2075"],
  ["12 Grange Ave, tallawo", "Tallawong NSW 2762"],
])("the first suggestion for %j is %s", async (typed, suburb) => {
  expect((await suggest(typed))[0]).toBe(suburb);
});

test("suggestions with the same name show their councils", async () => {
  const response = await call("GET", "/api/suburbs/suggest?q=mayfield");
  const found = (await response.json()) as { name: string; council: string }[];
  const councils = found.filter(({ name }) => name === "Mayfield").map(({ council }) => council);
  expect(councils.length).toBeGreaterThan(1);
  expect(new Set(councils).size).toBe(councils.length);
});

async function placeOf(address: string): Promise<AddressPlace> {
  const response = await call("GET", `/api/suburbs/by/address?${new URLSearchParams({ address })}`);
  expect(response.status).toBe(200);
  return (await response.json()) as AddressPlace;
}

test("a suburb is found, and so is a postcode with a single suburb", async () => {
  expect((await placeOf("Ryde")).suburb).toMatchObject({ name: "Ryde", postcode: "2112" });
  expect(await placeOf("Yass")).toMatchObject({ suburb: { postcode: "2582" }, suggestions: [] });
  expect(await placeOf("12 Hill St 2619")).toMatchObject({ suburb: { name: "Jerrabomberra" } });
});

test.each([
  ["12 Banksia St", []],
  ["🌱🌱🌱🌱🌱", []],
  ["1 Main Street, Melbourne VIC 3000", []],
  ["12 Church St parramata", ["Parramatta NSW 2150"]],
  ["7 Elm St, Surfers Paradise QLD 4217", ["Paradise NSW 2360"]],
  ["12 King St, Newtown NSW 2000", ["Newtown NSW 2042", "Sydney NSW 2000"]],
  ["1 Main St, Springfield", ["Springfield NSW 2250"]],
  ["12 Elm St, Parramatta North", ["North Parramatta NSW 2151", "Parramatta NSW 2150"]],
  ["12 Elm St, North Bexley NSW", ["Bexley North NSW 2207"]],
  ["12 Elm St, Bondi North 2026", ["North Bondi NSW 2026", "Bondi NSW 2026", "Bondi Beach NSW 2026"]],
  ["12 Elm St, Pt. Clare", ["Point Clare NSW 2250"]],
  ["2150", ["Parramatta NSW 2150"]],
])("a quote for %j is refused until the visitor chooses a suburb", async (customerAddress, meant) => {
  const response = await call("POST", "/api/leads", { body: quoteRequest({ customerAddress }) });
  expect(await response.json()).toMatchObject({
    status: 400,
    code: "invalid_input",
    errors: { customerAddress: UNCLEAR_SUBURB },
  });
  const { suburb, suggestions } = await placeOf(customerAddress);
  expect(suburb).toBeNull();
  expect(suggestions.slice(0, meant.length).map(formatSuburb)).toEqual(meant);
});

const UNCLEAR = [
  "2150",
  "1 Main St, Springfield",
  "12 King St, Newtown NSW 2000",
  "5 Elm St 2795",
  "12 Broadway",
  "1 Main St, Glebe, Sydney",
  "12 Church St parramata",
  "7 Elm St, Surfers Paradise QLD 4217",
  "12 Grange Ave, Newname NSW 2762",
  "5 Smith St, Coolangatta",
  "2/14 St Johns Rd, Richmond QLD",
  "12 Elm St, Parramatta North",
  "12 Elm St, Bondi North 2026",
  "12 Elm St, North Bexley NSW",
  "12 Elm St, Pt. Clare",
];

test("every suggestion for an address is accepted, and removes no part of it", async () => {
  for (const address of UNCLEAR) {
    const { suggestions } = await placeOf(address);
    expect(suggestions.length, address).toBeGreaterThan(0);
    for (const suburb of suggestions) {
      const completed = replaceSuburb(address, suburb);
      expect((await placeOf(completed)).suburb, completed).toMatchObject({
        name: suburb.name,
        postcode: suburb.postcode,
      });
      const kept = address.replace(suburb.typed ?? "", "").match(/[A-Za-z0-9']+/g) ?? [];
      for (const word of kept.filter((one) => !/^(?:nsw|qld|\d{4})$/i.test(one)))
        expect(completed.split(/[^A-Za-z0-9']+/), completed).toContain(word);
    }
  }
});

test("a small place with a well-known namesake comes with a larger place nearby and the other state", async () => {
  for (const [address, name, near, elsewhere] of [
    ["5 Smith St, Coolangatta", "Coolangatta", "Shoalhaven Heads", "Queensland"],
    ["5 Moseley St, Glenelg", "Glenelg", "Grenfell", "South Australia"],
    ["5 High St, Bassendean", "Bassendean", "Guyra", "Western Australia"],
  ] as const) {
    const { suburb, suggestions } = await placeOf(address);
    expect(suburb).toBeNull();
    expect(suggestions[0], address).toMatchObject({ name, near, elsewhere });
  }
  expect((await placeOf("5 Smith St, Coolangatta NSW")).suburb).toMatchObject({ name: "Coolangatta" });
  expect((await placeOf("1 Main St, Springfield")).suggestions[0]).not.toHaveProperty("elsewhere");
});

test("every listed namesake is a place with few people here", async () => {
  const all = await db.select().from(suburbs);
  expect(Object.keys(namesakes).length).toBeGreaterThan(90);
  for (const key of Object.keys(namesakes)) {
    const here = all.filter(({ nameKey }) => nameKey === key);
    expect(here.length, key).toBeGreaterThan(0);
    expect(Math.max(...here.map(({ population }) => population)), key).toBeLessThan(500);
  }
});

test("two candidates with the same name show their councils", async () => {
  const { suggestions } = await placeOf("1 Main St, Springfield");
  expect(suggestions.map(({ name, council }) => [name, council])).toEqual([
    ["Springfield", "Central Coast Council"],
    ["Springfield", "Snowy Monaro Regional Council"],
  ]);
});

test("every suburb in the state is found by its name and postcode", async () => {
  const all = await db.select().from(suburbs);
  expect(all.length).toBeGreaterThan(4_000);
  const byPostcode = Map.groupBy(all, ({ postcode }) => postcode);
  const byName = Map.groupBy(all, ({ nameKey }) => nameKey);
  for (const { id, name, postcode } of all) {
    const address = `12 Banksia Street, ${name} NSW ${postcode}`;
    const { postcodes, names } = placeHints(address);
    const candidates = [
      ...postcodes.flatMap((code) => byPostcode.get(code) ?? []),
      ...names.flatMap((key) => byName.get(key) ?? []),
    ];
    expect(findPlace(address, candidates).place?.id, address).toBe(id);
  }
});

test.each(["2150 Parramatta", "Ryde", "5 Elm St mt druitt", "12 Banksia St, Glebe NSW 2037, Australia"])(
  "a quote for %j is accepted",
  async (customerAddress) => {
    const response = await call("POST", "/api/leads", { body: quoteRequest({ customerAddress }) });
    expect(response.status).toBe(201);
  },
);

test("at most six suggestions are returned, most populous first", async () => {
  const found = await suggest("mou");
  expect(found).toHaveLength(6);
  expect(found[0]).toBe("Mount Druitt NSW 2770");
});

test.each(["", "le", "12 ", "qqqq", "%", "_eichhardt", "9999"])("%j has no suggestions", async (q) => {
  expect(await suggest(q)).toEqual([]);
});

test("a text longer than any address is refused", async () => {
  const response = await call("GET", `/api/suburbs/suggest?q=${"x".repeat(101)}`);
  expect(response.status).toBe(400);
});

test("a lookup reads only rows with the same prefix, not all suburbs", async () => {
  const counting = countingDb(testEnv.DB);
  // More suburbs begin with these three letters than with any others.
  const response = await callWith({ DB: counting.db }, "GET", "/api/suburbs/suggest?q=mou");
  expect(response.status).toBe(200);
  expect(counting.cost.rowsRead).toBeLessThan(300);
});

test("no two letters start more names than a fuzzy lookup reads", async () => {
  const { results } = await testEnv.DB.prepare(
    "SELECT count(*) AS names FROM suburbs GROUP BY lower(substr(name, 1, 2)) ORDER BY names DESC LIMIT 1",
  ).all<{ names: number }>();
  expect(results[0]!.names).toBeLessThan(200);
});
