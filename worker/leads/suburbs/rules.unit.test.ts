import { expect, test } from "vitest";

import { replaceSuburb } from "../../../contract/address.ts";
import { distanceKm } from "../../../contract/distance.ts";
import { areaHints, findPlace, type SuburbPlace, placeHints } from "./rules.ts";

function place(name: string, postcode: string, population: number, region = "inner-west"): SuburbPlace {
  const id = `sub_${name.toLowerCase().replaceAll(" ", "-")}-${postcode}`;
  return {
    id,
    name,
    postcode,
    council: "A council",
    state: "NSW",
    region,
    latitude: -33.8,
    longitude: 151.1,
    population,
  };
}

const LEICHHARDT = place("Leichhardt", "2040", 14_625);
const LILYFIELD = place("Lilyfield", "2040", 7616);
const ANNANDALE = place("Annandale", "2038", 9451);
const GLEBE = place("Glebe", "2037", 11_532);
const SYDNEY = place("Sydney", "2000", 17_252);
const NORTH_SYDNEY = place("North Sydney", "2060", 7705);
const MAYFIELD = place("Mayfield", "2304", 9314);
const SMALL_MAYFIELD = place("Mayfield", "2540", 37);
const O_CONNELL = place("O'Connell", "2795", 200);
const BALMAIN = place("Balmain", "2041", 10_453);
const BALMAIN_EAST = place("Balmain East", "2041", 1932);
const MOUNT_DRUITT = place("Mount Druitt", "2770", 16_726);
const BRIGHTON = place("Brighton-le-Sands", "2216", 8_000);
const NEWTOWN = place("Newtown", "2042", 15_000);
const PARADISE = place("Paradise", "2360", 120);
const JENNINGS = place("Jennings", "4383", 302);
const ALL = [
  NEWTOWN,
  PARADISE,
  JENNINGS,
  MOUNT_DRUITT,
  BRIGHTON,
  BALMAIN_EAST,
  BALMAIN,
  SMALL_MAYFIELD,
  MAYFIELD,
  LILYFIELD,
  LEICHHARDT,
  ANNANDALE,
  GLEBE,
  SYDNEY,
  NORTH_SYDNEY,
  O_CONNELL,
];

function find(address: string) {
  const { postcodes, names } = placeHints(address);
  const candidates = ALL.filter(
    ({ name, postcode }) => postcodes.includes(postcode) || names.includes(name.toLowerCase()),
  );
  return findPlace(address, candidates);
}

test.each([
  ["name and postcode", "12 Banksia Street, Leichhardt NSW 2040", LEICHHARDT],
  ["the other suburb of the same postcode", "12 Banksia Street, Lilyfield NSW 2040", LILYFIELD],
  ["any case and spacing", "12 banksia st   LEICHHARDT\nnsw,2040", LEICHHARDT],
  ["only a name", "12 Banksia Street, Annandale", ANNANDALE],
  ["only a postcode of one suburb", "12 Banksia Street, 2037", GLEBE],
  ["a postcode before its suburb", "2040 Leichhardt", LEICHHARDT],
  ["a longer name and its postcode", "12 Banksia Street, Balmain East 2041", BALMAIN_EAST],
  ["an ambiguous name and its postcode", "1 Main Street, Mayfield NSW 2540", SMALL_MAYFIELD],
  ["a street named after a suburb", "4 Annandale Street, Leichhardt", LEICHHARDT],
  ["a street named after a suburb with the same postcode", "4 Lilyfield Road, Leichhardt 2040", LEICHHARDT],
  ["a street named after a suburb, and a postcode", "4 Annandale Street, NSW 2037", GLEBE],
  ["a street named after a suburb, abbreviated, and a postcode", "4 Annandale St. 2037", GLEBE],
  ["a house number like a postcode", "2037 Main Road, Leichhardt NSW 2040", LEICHHARDT],
  ["a longer name that contains a shorter one", "1 Miller Street, North Sydney", NORTH_SYDNEY],
  ["a suburb before the city", "1 Main Street, Glebe 2037, Sydney", GLEBE],
  ["a name with an apostrophe", "1 Main Street, O'Connell", O_CONNELL],
  ["a name with a typeset apostrophe", "1 Main Street, O’Connell", O_CONNELL],
  ["an abbreviated name", "5 Elm St mt druitt", MOUNT_DRUITT],
  ["a name without its hyphens", "5 The Grand Pde, brighton le sands", BRIGHTON],
  ["a name with its hyphens", "5 The Grand Pde, Brighton-Le-Sands", BRIGHTON],
  ["a house number like a postcode, and no postcode", "2037 Main Road, Leichhardt", LEICHHARDT],
  ["a lot number like a postcode", "Lot 2037, Leichhardt", LEICHHARDT],
  ["a border town with its postcode", "3 Main Street, Jennings NSW 4383", JENNINGS],
  ["only the name of a border town", "3 Main Street, Jennings", JENNINGS],
])("an address with %s has one clear suburb", (_, address, expected) => {
  expect(find(address).place).toBe(expected);
});

test.each([
  ["a postcode alone has several suburbs", "12 Banksia Street, 2040", [LEICHHARDT, LILYFIELD]],
  ["two places have the name", "1 Main Street, Mayfield", [MAYFIELD, SMALL_MAYFIELD]],
  ["the postcode is another suburb's", "1 Main Street, Annandale NSW 2000", [ANNANDALE, SYDNEY]],
  ["no suburb has the postcode", "1 Main Street, Annandale NSW 2830", [ANNANDALE]],
  ["the postcode is far away", "7 Elm St, Surfers Paradise 4217", [PARADISE]],
  ["the name is part of a longer one", "7 Elm St, Surfers Paradise", [PARADISE]],
  ["a word of the name is unknown", "1 Main Street, Mayfield Town", [MAYFIELD, SMALL_MAYFIELD]],
  ["another state is named", "1 Main Street, Annandale QLD", [ANNANDALE]],
  ["another state is named with the postcode", "1 Main Street, Jennings QLD 4383", [JENNINGS]],
  ["another state is written out", "1 Main Street, Annandale, South Australia", [ANNANDALE]],
  ["a postcode across the border has one of our suburbs", "1 Main Street, Wallangarra 4383", [JENNINGS]],
  ["two suburbs are named", "1 Main Street, Glebe, Sydney", [GLEBE, SYDNEY]],
])("the visitor must choose a suburb when %s", (_, address, meant) => {
  const found = find(address);
  expect(found.place).toBeNull();
  expect(found.meant.map(({ id }) => id)).toEqual(meant.map(({ id }) => id));
});

test.each([
  ["12 King St, Newtown NSW 2040", NEWTOWN, "12 King St, Newtown NSW 2042"],
  ["12 King St, Newtown  NSW 2040", LEICHHARDT, "12 King St, Leichhardt NSW 2040"],
  ["12 King St, NSW 2040", LILYFIELD, "12 King St, Lilyfield NSW 2040"],
  ["1 Main Street, Glebe, Sydney", GLEBE, "1 Main Street, Glebe NSW 2037"],
  ["Mayfield", SMALL_MAYFIELD, "Mayfield NSW 2540"],
])("%j with a chosen suburb becomes a clear address", (address, chosen, completed) => {
  const suburb = find(address.replaceAll(/\s+/g, " ")).meant.find(({ id }) => id === chosen.id)!;
  expect(replaceSuburb(address, suburb)).toBe(completed);
  expect(find(completed).place).toBe(chosen);
});

test.each([
  "1 Main Street, Melbourne VIC 3000",
  "",
  "12 Leichhardtville Road",
  "4 Annandale Street, Melbourne VIC 3000",
])("%j matches no suburb", (address) => {
  expect(find(address)).toEqual({ place: null, meant: [] });
});

test("a long address has a limited number of hints", () => {
  const { postcodes, names } = placeHints("2040 ".repeat(400));
  // D1 accepts at most 100 bound values per statement.
  expect(postcodes.length + names.length).toBeLessThan(100);
});

test("the distance to the same place is zero, and distances are symmetric", () => {
  const manly = { latitude: -33.7969, longitude: 151.2867 };
  const bondi = { latitude: -33.8937, longitude: 151.2637 };
  expect(distanceKm(manly, manly)).toBe(0);
  expect(distanceKm(manly, bondi)).toBeCloseTo(distanceKm(bondi, manly), 9);
  expect(distanceKm(manly, bondi)).toBeCloseTo(10.97, 1);
  expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(
    111.2,
    0,
  );
});

test.each([
  ["Sydney, Newcastle", [], ["sydney", "newcastle"]],
  ["Manly 2095; and The Rocks NSW 2000", ["2095", "2000"], ["manly", "the rocks"]],
  ["2040/2041\n2042", ["2040", "2041", "2042"], []],
  ["Brandy Hill & Sandgate", [], ["brandy hill", "sandgate"]],
  [" ,; ", [], []],
])("service areas %j contain %j and %j", (areas, postcodes, names) => {
  expect(areaHints(areas)).toEqual({ postcodes, names });
});
