import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import links from "../../data/council-links.json" with { type: "json" };
import { councilLinks } from "../../scripts/council-links.ts";
import { findNearbyCouncils, getCouncilPlaces } from "./council-links.ts";

const COUNCILS = Object.keys(links);

test("the file matches the list of suburbs", () => {
  const csv = readFileSync(new URL("../../data/nsw-suburbs.csv", import.meta.url), "utf8");
  expect(links).toEqual(councilLinks(csv));
});

test("at least three other pages link to every council and every indexable place", () => {
  const named = new Map<string, number>();
  const count = (page: string) => named.set(page, (named.get(page) ?? 0) + 1);
  for (const [council, { places }] of Object.entries(links)) {
    for (const near of findNearbyCouncils(council)) {
      count(near.council);
      for (const { slug } of near.places) count(slug);
    }
    for (const [slug] of places) {
      // The council's page links to all of its places.
      count(slug!);
      for (const other of getCouncilPlaces(council, slug!)) count(other.slug);
    }
  }
  const pages = Object.entries(links).flatMap(([council, { places }]) => [
    council,
    ...places.map(([slug]) => slug!),
  ]);
  expect(pages.length, "the list is not empty").toBeGreaterThan(1900);
  expect(pages.filter((page) => (named.get(page) ?? 0) < 3)).toEqual([]);
});

const names = (slug: string) => getCouncilPlaces("Narrabri Shire Council", slug).map((other) => other.slug);

test("a place links to three others of its council, and after the smallest to the largest", () => {
  const [largest, second, third, fourth] = links["Narrabri Shire Council"].places.map(([slug]) => slug!);
  expect(names(largest!)).toEqual([second, third, fourth].filter(Boolean));
  const last = links["Narrabri Shire Council"].places.at(-1)![0]!;
  expect(names(last)[0]).toBe(largest);
  expect(names("not-listed")[0]).toBe(largest);
  for (const council of COUNCILS)
    for (const [slug] of links[council as keyof typeof links].places)
      expect(getCouncilPlaces(council, slug!).map((other) => other.slug)).not.toContain(slug);
});

test("an unknown council has no neighbours", () => {
  expect(findNearbyCouncils("Atlantis Council")).toEqual([]);
  expect(getCouncilPlaces("Atlantis Council", "atlantis")).toEqual([]);
});
