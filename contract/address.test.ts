import { expect, test } from "vitest";

import { addressSchema, extractSuburbQuery, keepUnit, replaceSuburb, splitSuburbQuery } from "./address.ts";

test.each([
  ["", ""],
  ["12", ""],
  ["gl", ""],
  ["gle", "gle"],
  ["12 Banksia Street, Gle", "gle"],
  ["12 Banksia Street Surry Hi", "banksia street surry hi".split(" ").slice(-3).join(" ")],
  ["12 Banksia Street, Glebe NSW 2037", "glebe 2037"],
  ["2037", "2037"],
  ["204", ""],
  ["3/12 O’Connell Town", "o'connell town"],
])("%j is looked up as %j", (address, part) => {
  expect(extractSuburbQuery(address)).toBe(part);
});

test("a full postcode is looked up as a postcode; words are looked up as name prefixes, longest first", () => {
  expect(splitSuburbQuery("glebe 2037")).toEqual({ postcode: "2037" });
  expect(splitSuburbQuery("street surry hi")).toEqual({ prefixes: ["street surry hi", "surry hi"] });
  expect(splitSuburbQuery("")).toEqual({ prefixes: [] });
});

const surryHills = { name: "Surry Hills", state: "NSW", postcode: "2010" };

test.each([
  ["12 Banksia St surry", "12 Banksia St, Surry Hills NSW 2010"],
  ["12 Banksia St, Surry Hi", "12 Banksia St, Surry Hills NSW 2010"],
  ["sur", "Surry Hills NSW 2010"],
  ["2010", "Surry Hills NSW 2010"],
  ["12 Surrey St 2010", "12 Surrey St, Surry Hills NSW 2010"],
  ["12 Banksia St, Surry Hills NSW", "12 Banksia St, Surry Hills NSW 2010"],
])("choosing a suburb changes %j to %j", (typed, address) => {
  expect(replaceSuburb(typed, surryHills)).toBe(address);
});

test("a postcode typed after the name is not duplicated", () => {
  expect(replaceSuburb("12 Banksia St, Surry Hills NSW 2010", surryHills)).toBe(
    "12 Banksia St, Surry Hills NSW 2010",
  );
  expect(replaceSuburb("12 Banksia St, Surry Hills 2010", surryHills)).toBe(
    "12 Banksia St, Surry Hills NSW 2010",
  );
});

test("a word behind nothing but a house number is the street, and stays", () => {
  const broadway = { name: "Broadway", state: "NSW", postcode: "2581" };
  expect(replaceSuburb("12 Broadway", broadway)).toBe("12 Broadway, Broadway NSW 2581");
  expect(replaceSuburb("3/12 broad", broadway)).toBe("3/12 broad, Broadway NSW 2581");
  expect(replaceSuburb("Lot 5 Elm St broad", broadway)).toBe("Lot 5 Elm St, Broadway NSW 2581");
});

test("a different spelling is replaced with the suburb's name", () => {
  const parramatta = { name: "Parramatta", state: "NSW", postcode: "2150", typed: "parramata" };
  expect(replaceSuburb("12 Church St parramata", parramatta)).toBe("12 Church St, Parramatta NSW 2150");
  // The visitor has typed on since the suburb was suggested.
  expect(replaceSuburb("12 Church St parramatatown", parramatta)).toBe("12 Church St, Parramatta NSW 2150");
});

test.each([
  "PO Box 12, Newtown NSW 2042",
  "P.O. Box 7 Glebe",
  "GPO Box 1, Sydney",
  "po box 3",
  "Locked Bag 9, Ryde",
])("%j is refused as a PO box", (address) => {
  expect(addressSchema.safeParse(address).error?.issues[0]?.message).toMatch(/street address, not a PO box/);
});

test.each([
  "12 Box Rd, Sylvania NSW 2224",
  "Box Hill NSW 2765",
  "3 Poole St, Boxers Creek",
  "2 Private Rd, Ryde",
])("%j is not a PO box", (address) => {
  expect(addressSchema.parse(address)).toBe(address);
});

test.for([
  ["Unit 3, 12 Banksia", "12 Banksia St, Glebe", "Unit 3, 12 Banksia St, Glebe"],
  ["lot 7 Camden Valley", "Camden Valley Way, Catherine Field", "lot 7, Camden Valley Way, Catherine Field"],
  ["3/12 Banksia", "12 Banksia St, Glebe", "3/12 Banksia St, Glebe"],
  ["2a / 12 banksia", "12 Banksia St, Glebe", "2a/12 Banksia St, Glebe"],
  ["3/12 Banksia", "3/12 Banksia St, Glebe", "3/12 Banksia St, Glebe"],
  ["Unit 3, 12 Banksia", "3/12 Banksia St, Glebe", "3/12 Banksia St, Glebe"],
  ["12 Banksia", "12 Banksia St, Glebe", "12 Banksia St, Glebe"],
  ["Unity Place", "Unity Pl, Glebe", "Unity Pl, Glebe"],
] as const)("with %j typed, the chosen %j becomes %j", ([typed, chosen, kept]) => {
  expect(keepUnit(typed, chosen)).toBe(kept);
});
