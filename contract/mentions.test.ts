import { expect, test } from "vitest";

import { countMentions, getMentionName, findNewMentions } from "./mentions.ts";

const SAM = { id: "sam", firstName: "Sam", lastName: "Lee" };
const SAM_RAY = { id: "ray", firstName: "Sam", lastName: "Ray" };
const ZOE = { id: "zoe", firstName: "Zoë", lastName: "O’Brien" };
const ANN = { id: "ann", firstName: "Mary Ann", lastName: "Wu" };
const MARY = { id: "mary", firstName: "Mary", lastName: "Ann" };
const TEAM = [SAM, ZOE];

const mentioned = (text: string, team = TEAM) => Object.fromEntries(countMentions(text, team));

test.each([
  ["@Sam please ring", { sam: 1 }],
  ["ask @sam lee, then @SAM.", { sam: 2 }],
  ["@Sam  Lee's call (@zoe)", { sam: 1, zoe: 1 }],
  ["@Zoe O'Brien and @Zoë O’Brien", { zoe: 2 }],
  ["@Sam\nLee", { sam: 1 }],
  ["@Samantha, @Sam-Ray, @Sam_1, @Sam2", {}],
  ["pat@sam.com and Sam without a sign", {}],
  ["@ Sam, @", {}],
  ["", {}],
])("%j mentions %o", (text, expected) => {
  expect(mentioned(text)).toEqual(expected);
});

test("a name with special letters matches its plain spelling", () => {
  const team = [
    { id: "soren", firstName: "Søren", lastName: "Æbelø" },
    { id: "lukasz", firstName: "Łukasz", lastName: "Groß" },
  ];
  expect(mentioned("@soren and @Lukasz Gross", team)).toEqual({ soren: 1, lukasz: 1 });
  expect(mentioned("@SØREN AEBELO, @ŁUKASZ", team)).toEqual({ soren: 1, lukasz: 1 });
});

test("a first name that two people share matches neither; with the last name it matches one", () => {
  const two = [SAM, SAM_RAY];
  expect(mentioned("@Sam can you", two)).toEqual({});
  expect(mentioned("@Sam Ng", two)).toEqual({});
  expect(mentioned("@Sam Ray", two)).toEqual({ ray: 1 });
  const twins = [SAM, { ...SAM, id: "other" }];
  expect(mentioned("@Sam @Sam Lee", twins)).toEqual({});
  // One person's whole name is another person's first name.
  expect(mentioned("@Mary Ann", [ANN, MARY])).toEqual({});
  expect(mentioned("@Mary Ann Wu and @Mary", [ANN, MARY])).toEqual({ ann: 1, mary: 1 });
});

test("a person is newly mentioned when the text mentions them more often than before", () => {
  expect(findNewMentions("", "@Sam", TEAM)).toEqual(["sam"]);
  expect(findNewMentions("@Sam", "@Sam Lee, gate code 12", TEAM)).toEqual([]);
  expect(findNewMentions("@Sam first", "Later: @Sam", TEAM)).toEqual([]);
  expect(findNewMentions("@Sam", "@Sam … @Sam, @Zoe", TEAM)).toEqual(["sam", "zoe"]);
  expect(findNewMentions("@Sam", "", TEAM)).toEqual([]);
});

test("the mention of a person is the first name, the full name, or null", () => {
  expect(getMentionName(SAM, TEAM)).toBe("Sam");
  expect(getMentionName(SAM, [SAM, SAM_RAY])).toBe("Sam Lee");
  expect(getMentionName(SAM, [SAM, { ...SAM, id: "other" }])).toBeNull();
  for (const mate of [SAM, SAM_RAY, ZOE])
    expect(mentioned(`@${getMentionName(mate, [SAM, SAM_RAY, ZOE])}`, [SAM, SAM_RAY, ZOE])).toEqual({
      [mate.id]: 1,
    });
});

test("a long text of @ signs is parsed quickly", () => {
  const team = Array.from({ length: 200 }, (_, i) => ({
    id: `${i}`,
    firstName: "Sam",
    lastName: `Lee ${i}`,
  }));
  expect(countMentions("@sam lee".repeat(2_500), team).size).toBe(0);
  expect(countMentions("@".repeat(20_000), team).size).toBe(0);
});
