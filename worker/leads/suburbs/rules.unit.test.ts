import { expect, test } from "vitest";

import { replaceSuburb } from "../../../contract/address.ts";
import { placeKey } from "../../../contract/place-names.ts";
import { distanceKm } from "../../../contract/distance.ts";
import { areaHints, findPlace, joinAddress, type SuburbPlace, placeHints } from "./rules.ts";

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
const BROADWAY = place("Broadway", "2581", 63);
const CAMDEN = place("Camden", "2570", 3378);
const CATHERINE_FIELD = place("Catherine Field", "2557", 2200);
const SCHOFIELDS = place("Schofields", "2762", 15_213);
const TALLAWONG = place("Tallawong", "2762", 0);
const MOUNT_VICTORIA = place("Mount Victoria", "2786", 945);
const MOUNT_ST_THOMAS = place("Mount Saint Thomas", "2500", 2000);
const ST_MARYS = place("St Marys", "2760", 12_000);
const LANE_COVE = place("Lane Cove", "2066", 10_000);
const COOLANGATTA = place("Coolangatta", "2535", 324);
const GLENELG = place("Glenelg", "2810", 44);
const ALL = [
  BROADWAY,
  CAMDEN,
  CATHERINE_FIELD,
  SCHOFIELDS,
  TALLAWONG,
  MOUNT_VICTORIA,
  MOUNT_ST_THOMAS,
  ST_MARYS,
  LANE_COVE,
  COOLANGATTA,
  GLENELG,
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
    ({ name, postcode }) => postcodes.includes(postcode) || names.includes(placeKey(name)),
  );
  return findPlace(address, candidates, { coolangatta: "Queensland", glenelg: "South Australia" });
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
  ["a street without its type, named after a suburb", "12 Broadway, Glebe", GLEBE],
  ["a street without its type, and a postcode", "12 Broadway, 2037", GLEBE],
  ["a street without its type, in the suburb of its name", "12 Broadway, Broadway 2581", BROADWAY],
  ["a street that begins with a suburb's name", "5 Camden Valley Way, Catherine Field", CATHERINE_FIELD],
  ["such a street and no comma", "5 Camden Valley Way Catherine Field", CATHERINE_FIELD],
  ["a street named after a suburb of two words", "Shop 3, 20 Lane Cove Rd, North Sydney", NORTH_SYDNEY],
  ["a suburb gazetted lately", "12 Grange Ave, Tallawong NSW 2762", TALLAWONG],
  ["a suburb that ends in a state's name", "12 Station St, Mount Victoria 2786", MOUNT_VICTORIA],
  ["a suburb that ends in a state's name, alone", "12 Station St, Mt Victoria", MOUNT_VICTORIA],
  ["an abbreviated mount and saint", "2 High St, Mt St Thomas", MOUNT_ST_THOMAS],
  ["a saint written out", "2 High St, Saint Marys", ST_MARYS],
  ["a street before a saint", "2 High St St Marys", ST_MARYS],
  ["a namesake in another state, and the postcode", "5 Smith St, Coolangatta 2535", COOLANGATTA],
  ["a namesake in another state, and our state", "5 Moseley St, Glenelg NSW", GLENELG],
  ["the suburb in brackets", "12 Banksia St (Glebe 2037)", GLEBE],
  ["a direction in one letter", "12 Miller St, N. Sydney", NORTH_SYDNEY],
  ["an article before its name", "12 Banksia St, The Glebe", GLEBE],
  ["instructions behind a dash", "12 Banksia St, Glebe - off Leichhardt Rd", GLEBE],
  ["instructions first", "Access via 5 Elm St Leichhardt 2040: 12 Banksia St, Glebe NSW 2037", GLEBE],
  ["the state written out", "12 Banksia St, Glebe, New South Wales", GLEBE],
  ["the middle of a city", "9 Pitt St, Sydney CBD NSW 2000", SYDNEY],
  ["the same suburb twice", "Glebe Gardens, Glebe, 12 Banksia St, Glebe", GLEBE],
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
  ["two suburbs are named", "1 Main Street, Glebe, Sydney", [SYDNEY, GLEBE]],
  ["a house number precedes the name", "12 Broadway", [BROADWAY]],
  ["a house number and an article precede the name", "12 The Broadway", [BROADWAY]],
  ["a larger place nearby is named", "12 Banksia St Glebe, near Sydney", [GLEBE, SYDNEY]],
  ["instructions name another suburb", "12 Banksia St, Glebe, entry from Newtown", [GLEBE, NEWTOWN]],
  ["a word behind the name makes another place of it", "1 Main St, Glebe Heights 2037", [GLEBE]],
  ["a word before the name makes another place of it", "1 Main St, Upper Glebe NSW 2037", [GLEBE]],
  ["a direction behind the name makes another place of it", "1 Main St, Glebe South 2037", [GLEBE]],
  ["a direction before the name makes another place of it", "1 Main St, South Glebe 2037", [GLEBE]],
  ["a well-known place in another state has the name", "5 Smith St, Coolangatta", [COOLANGATTA]],
  ["two addresses are complete, and neither has a number", "Glebe 2037, Annandale 2038", [ANNANDALE, GLEBE]],
])("the visitor must choose a suburb when %s", (_, address, meant) => {
  const found = find(address);
  expect(found.place).toBeNull();
  expect(found.meant.map(({ id }) => id)).toEqual(meant.map(({ id }) => id));
});

test.each([
  ["12 King St, Newtown NSW 2040", NEWTOWN, "12 King St, Newtown NSW 2042"],
  ["12 King St, Newtown  NSW 2040", LEICHHARDT, "12 King St, Newtown, Leichhardt NSW 2040"],
  ["12 King St, NSW 2040", LILYFIELD, "12 King St, Lilyfield NSW 2040"],
  ["1 Main Street, Glebe, Sydney", GLEBE, "1 Main Street, Glebe NSW 2037, Sydney"],
  ["1 Main Street, Glebe, Sydney", SYDNEY, "1 Main Street, Glebe, Sydney NSW 2000"],
  ["12 Broadway", BROADWAY, "12 Broadway, Broadway NSW 2581"],
  ["12 The Broadway", BROADWAY, "12 The Broadway, Broadway NSW 2581"],
  ["1 Main St, Glebe Heights 2037", GLEBE, "1 Main St, Glebe Heights, Glebe NSW 2037"],
  ["1 Main Street, Annandale QLD", ANNANDALE, "1 Main Street, Annandale NSW 2038"],
  ["7 Elm St, Surfers Paradise 4217", PARADISE, "7 Elm St, Surfers, Paradise NSW 2360"],
  ["12 Grange Ave, Newname NSW 2762", SCHOFIELDS, "12 Grange Ave, Newname, Schofields NSW 2762"],
  ["12 Banksia St, Glebe ring first", GLEBE, "12 Banksia St, Glebe NSW 2037, ring first"],
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
  expect(find(address)).toMatchObject({ place: null, meant: [], unlisted: null });
});

test.each([
  ["12 Grange Ave, Newname NSW 2762", "Newname"],
  ["12 Grange Ave Newname Park 2762", "Newname Park"],
  ["5 Elm St, Paradise Gardens NSW 2040", "Paradise Gardens"],
  ["12 Hill St, Newname 2037", "Newname"],
  ["12 Hill St, Glebe Heights 2037", "Glebe Heights"],
  ["12 Hill St, New Glebe NSW 2037", "New Glebe"],
])("%j names a place that is not in our list, with a postcode that is", (address, name) => {
  const { place, unlisted } = find(address);
  expect(place).toBeNull();
  expect(unlisted).toMatchObject({
    id: null,
    name,
    postcode: /\d{4}/.exec(address)![0],
    region: "inner-west",
  });
});

test.each([
  "12 Grange Ave, Newname",
  "12 Grange Ave, Newname 2999",
  "12 Grange Ave, Newname QLD 2762",
  "1 Main Street, Annandale NSW 2000",
  "12 Banksia Street, 2040",
  "2040",
])("%j names no such place", (address) => {
  expect(find(address).unlisted).toBeNull();
});

test.each([
  [
    "12 Banksia St, Glebe NSW 2037, access via 5 Leichhardt St Leichhardt 2040",
    "12 Banksia St, Glebe NSW 2037",
    "access via 5 Leichhardt St Leichhardt 2040",
  ],
  [
    "12 Banksia St Glebe 2037 - the gate is at the back",
    "12 Banksia St Glebe 2037",
    "the gate is at the back",
  ],
  ["12 Banksia St, Glebe NSW 2037 (gate code 12)", "12 Banksia St, Glebe NSW 2037", "gate code 12"],
  ["12 Banksia St (off Leichhardt Rd), Glebe", "12 Banksia St, Glebe", "off Leichhardt Rd"],
  ["12 Banksia St, Glebe (corner of Leichhardt", "12 Banksia St, Glebe", "corner of Leichhardt"],
  [
    "12 Banksia St, Glebe 2037; dog in yard (call 0491 570 006)",
    "12 Banksia St, Glebe 2037",
    "dog in yard; call 0491 570 006",
  ],
  [
    "12 Banksia St, Glebe NSW 2037. Enter from Elm Rd Leichhardt 2040",
    "12 Banksia St, Glebe NSW 2037",
    "Enter from Elm Rd Leichhardt 2040",
  ],
  [
    "12 Banksia St Glebe 2037 side gate on Elm St, Leichhardt 2040",
    "12 Banksia St Glebe 2037",
    "side gate on Elm St, Leichhardt 2040",
  ],
  ["12 Banksia St, Glebe 2037 / gate at 3 Bay St", "12 Banksia St, Glebe 2037", "gate at 3 Bay St"],
  ["Glebe NSW 2037, 12 Banksia St", "Glebe NSW 2037, 12 Banksia St", null],
  ["2037 Glebe, 12 Banksia St", "2037 Glebe, 12 Banksia St", null],
  ["12 Banksia St, Glebe 2037, Aus", "12 Banksia St, Glebe 2037, Aus", null],
  ["12 Banksia St Glebe nsw2037", "12 Banksia St Glebe nsw2037", null],
  ["2/12 Banksia St, Glebe NSW 2037, Australia", "2/12 Banksia St, Glebe NSW 2037, Australia", null],
  ["12 Banksia St, Glebe NSW 2037, Sydney", "12 Banksia St, Glebe NSW 2037, Sydney", null],
])("%j is in Glebe, and the instructions are a note", (typed, address, note) => {
  expect(find(typed)).toMatchObject({ place: GLEBE, address, note });
});

test.each([
  ["12 Banksia St", "Glebe", "2037", "12 Banksia St, Glebe NSW 2037"],
  ["12 Banksia St, Glebe", "Glebe", "2037", "12 Banksia St, Glebe NSW 2037"],
  ["12 Banksia St, glebe nsw", "Glebe", "2037", "12 Banksia St, glebe NSW 2037"],
  ["12 Banksia St, Glebe NSW 2037", "Glebe", "2037", "12 Banksia St, Glebe NSW 2037"],
  ["12 Banksia St 2037", "Glebe", "", "12 Banksia St, Glebe 2037"],
  ["12 Banksia St, Glebe", "", "2037", "12 Banksia St, Glebe NSW 2037"],
  ["12 Grange Ave, NSW 2762", "Newname", "2762", "12 Grange Ave, Newname NSW 2762"],
  ["Lot 2038", "Glebe", "2037", "Lot 2038, Glebe NSW 2037"],
  ["5 Elm St", "Melbourne", "3000", "5 Elm St, Melbourne 3000"],
  ["", "Glebe", "2037", "Glebe NSW 2037"],
  ["12 Banksia St, Glebe", " ", "", "12 Banksia St, Glebe"],
])("%j with the suburb %j and the postcode %j is %j", (address, suburb, postcode, whole) => {
  expect(joinAddress({ address, suburb, postcode })).toBe(whole);
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
  ["Mt Druitt, Saint Ives", [], ["mount druitt", "st ives"]],
  ["2040/2041\n2042", ["2040", "2041", "2042"], []],
  ["Brandy Hill & Sandgate", [], ["brandy hill", "sandgate"]],
  [" ,; ", [], []],
])("service areas %j contain %j and %j", (areas, postcodes, names) => {
  expect(areaHints(areas)).toEqual({ postcodes, names });
});
