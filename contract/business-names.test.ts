import { expect, test } from "vitest";

import { findNameFault, toBusinessName } from "./business-names.ts";

test.each([
  "Naturestrip",
  "NATURE-STRIP Support",
  "Nature Strip Mowing",
  "N a t u r e s t r i p",
  "Nаturestrip Support",
  "Naturestr1p",
  "Nàturéstrip",
  "Ｎａｔｕｒｅｓｔｒｉｐ",
  "𝐍𝐚𝐭𝐮𝐫𝐞𝐬𝐭𝐫𝐢𝐩",
  "ɴaturestrip",
  "NSW Fair Trading",
  "Australian Government Gardens",
  "ATO",
  "A.T.O.",
  "АТО",
  "Service NSW",
  "ServiceNSW Lawns",
  "Council",
  "Inner West Council",
  "Inner West Council Parks",
  "Council of the City of Sydney",
  "City of Parramatta",
  "Municipality of Burwood",
  "Green Strip ✓ Verified",
  "VERIFIED Lawns",
  "V3rified",
  "Ver‑ified Mowing",
  "ⓥⓔⓡⓘⓕⓘⓔⓓ",
  "Lаwn Kings",
  "Lοcal Mowers",
])("%s is refused", (name) => {
  expect(findNameFault(name)).toMatch(/^Please /);
});

test.each([
  "Green Strip 12",
  "Jim's Mowing (Glebe)",
  "Council Street Mowing",
  "The Council Gardener",
  "City Gardens of Sydney Lawns",
  "Potato Gardens",
  "Nature's Own Strip Mowing",
  "李明园艺",
  "Дом и сад",
  "Дом Gardens",
  "Ștefan’s Lawns",
  "24/7 Lawns",
  "Nguyễn Lawn & Garden",
  "Governor Lawns",
  "The Lawn Department",
  "Weed Police",
])("%s is a name", (name) => {
  expect(findNameFault(name)).toBeNull();
});

test.each([
  ["Green Strip ✓", "Green Strip"],
  ["✔️ Green ☑ Strip ✅", "Green Strip"],
  ["Green√Strip™", "Green Strip"],
  ["Ｇｒｅｅｎ　Strip", "Green Strip"],
  ["✓", ""],
])("%s is stored as %s", (typed, stored) => {
  expect(toBusinessName(typed)).toBe(stored);
});
