import { expect, test } from "vitest";

import { DRAWINGS } from "../lib/council-outlines.ts";
import {
  findCouncil,
  groupLocations,
  locationsHref,
  matchLocations,
  readLocationQuery,
} from "./location-filter.ts";

function suburb(name: string, postcode: string, council: string) {
  return { name, postcode, council, state: "NSW" };
}

const SUBURBS = [
  suburb("Manly", "2095", "Northern Beaches Council"),
  suburb("Dee Why", "2099", "Northern Beaches Council"),
  suburb("Glebe", "2037", "City of Sydney"),
  suburb("Sydney", "2000", "City of Sydney"),
];

function names(query: string): string[] {
  return matchLocations(SUBURBS, readLocationQuery(new URLSearchParams(query))).map(({ name }) => name);
}

test.each([
  ["", ["Manly", "Dee Why", "Glebe", "Sydney"]],
  ["search=manly", ["Manly"]],
  ["search=+DEE+WHY+", ["Dee Why"]],
  ["search=209", ["Manly", "Dee Why"]],
  ["search=sydney", ["Glebe", "Sydney"]],
  ["search=beaches&council=City+of+Sydney", []],
  ["council=Northern+Beaches+Council", ["Manly", "Dee Why"]],
  ["council=all&state=all", ["Manly", "Dee Why", "Glebe", "Sydney"]],
  ["state=NSW&search=glebe", ["Glebe"]],
  ["state=VIC", []],
  ["search=.*", []],
  ["search=man%00%E2%80%AEly", []],
  ["search=man%E2%80%AEly%0D%0A", ["Manly"]],
])("%j finds %j", (query, expected) => {
  expect(names(query)).toEqual(expected);
});

test("finds a name without its apostrophe", () => {
  const suburbs = [
    suburb("O'Connell", "2795", "Bathurst"),
    suburb("Henley", "2111", "Hunter's Hill Council"),
  ];
  const found = (search: string) =>
    matchLocations(suburbs, readLocationQuery(new URLSearchParams({ search }))).map(({ name }) => name);
  for (const search of ["oconnell", "O'Connell", "o’connell"]) expect(found(search)).toEqual(["O'Connell"]);
  expect(found("hunters hill")).toEqual(["Henley"]);
});

test.each([
  ["northern beaches council", "Northern Beaches Council"],
  ["Parramatta", "City of Parramatta"],
  ["inner-west", "Inner West Council"],
  ["ku-ring-gai", "Ku-ring-gai Council"],
  ["City of Blue Mountains", "Blue Mountains City Council"],
  ["hunters hill", "Hunter's Hill Council"],
  ["Sydney", "City of Sydney"],
  ["north sydney", "North Sydney Council"],
  ["Kiama", "Kiama Municipal Council"],
  ["Camelot", undefined],
])("the council %j is %j", (wanted, council) => {
  expect(
    findCouncil(
      wanted,
      Object.values(DRAWINGS).flatMap(({ councils }) => councils.map(({ name }) => name)),
    ),
  ).toBe(council);
});

test("a URL contains only the query and can be read back", () => {
  expect(locationsHref({ search: "", state: "", council: "", view: "council" })).toBe("/locations");
  const query = { search: "a&b", state: "NSW", council: "City of Sydney", view: "alphabetical" } as const;
  const href = locationsHref(query);
  expect(readLocationQuery(new URL(href, "http://x.test").searchParams)).toEqual(query);
});

function titles(view: "council" | "alphabetical") {
  return groupLocations(SUBURBS, view).map((group) => [
    group.title,
    ...group.suburbs.map(({ name }) => name),
  ]);
}

test("groups suburbs by council, in their own order, or by letter, sorted", () => {
  expect(titles("council")).toEqual([
    ["City of Sydney", "Glebe", "Sydney"],
    ["Northern Beaches Council", "Manly", "Dee Why"],
  ]);
  expect(titles("alphabetical")).toEqual([
    ["D", "Dee Why"],
    ["G", "Glebe"],
    ["M", "Manly"],
    ["S", "Sydney"],
  ]);
});
