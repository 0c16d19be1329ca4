import { expect, test } from "vitest";

import { findCandidates, describeAmbiguity, findToken } from "./mention-token.ts";

const mate = (id: string, firstName: string, lastName: string, isYou = false) => ({
  id,
  firstName,
  lastName,
  isYou,
});
const TEAM = [mate("pat", "Pat", "Green", true), mate("sam", "Sam", "Lee"), mate("zoe", "Zoë", "O’Brien")];

const query = (text: string) => findToken(text.replace("|", ""), text.indexOf("|"))?.query;
const offered = (typed: string, team = TEAM) => findCandidates(typed, team).map(({ written }) => written);

test.each([
  ["@|", ""],
  ["Call\n@sa|", "sa"],
  ["(@Sam Le|)", "Sam Le"],
  ["@Zoë O’|", "Zoë O’"],
  ["@Sa| please", "Sa"],
  ["@Sa|m", undefined],
  ["pat@sam|", undefined],
  ["@Sam\n|", undefined],
  ["@ |", undefined],
  ["Sam|", undefined],
])("in %j, finds the mention %j", (text, expected) => {
  expect(query(text)).toBe(expected);
});

test('a mention starts at its "@", even in a long text', () => {
  const text = `${"Mow the front. ".repeat(50)}@Sam`;
  expect(findToken(text, text.length)).toEqual({ start: 750, query: "Sam" });
});

test("suggests all other team members until a name is complete", () => {
  expect(offered("")).toEqual(["Sam", "Zoë"]);
  expect(offered("SA")).toEqual(["Sam"]);
  expect(offered("zoe o'b")).toEqual(["Zoë"]);
  expect(offered("lee")).toEqual(["Sam"]);
  expect(offered("pat")).toEqual([]);
  for (const done of ["Sam ", "Sam please"]) expect(offered(done)).toEqual([]);
  expect(offered("", TEAM.slice(0, 1)), "without a team").toEqual([]);
});

test("suggests full names if two first names are equal, and explains why", () => {
  const two = [...TEAM, mate("ray", "Sam", "Ray")];
  expect(offered("sam", two)).toEqual(["Sam Lee", "Sam Ray"]);
  expect(offered("sam r", two)).toEqual(["Sam Ray"]);
  expect(describeAmbiguity(findCandidates("sam", two))).toBe(
    "There's more than one Sam, so the last name goes in too.",
  );
  expect(describeAmbiguity(findCandidates("zo", two))).toBeNull();
  const twins = [...TEAM, mate("other", "Sam", "Lee")];
  expect(offered("sam", twins)).toEqual([null, null]);
  expect(describeAmbiguity(findCandidates("sam", twins))).toMatch(/can't tell which one you mean/);
});
