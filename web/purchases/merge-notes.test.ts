import { expect, test } from "vitest";

import { mergeNotes } from "./merge-notes.ts";

const long = (mark: string) => Array.from({ length: 5000 }, (_, line) => `${mark}${line}`).join("\n");

const BASE = "Gate code 4711\nTwo dogs\nMow fortnightly";

test("contains both additions and the common text once", () => {
  expect(mergeNotes(BASE, `${BASE}\nPays cash`, `Call after four\n${BASE}`)).toBe(
    `Call after four\n${BASE}\nPays cash`,
  );
  expect(mergeNotes(BASE, `${BASE}\nPays cash`, `${BASE}\nHedge, too`)).toBe(
    `${BASE}\nPays cash\n\nHedge, too`,
  );
});

test("applies a change or deletion by one side", () => {
  const theirs = BASE.replace("Two dogs\n", "");
  expect(mergeNotes(BASE, theirs, `${BASE}\nPays cash`)).toBe("Gate code 4711\nMow fortnightly\nPays cash");
  expect(mergeNotes(BASE, BASE, "")).toBe("");
  expect(mergeNotes(BASE, theirs, theirs)).toBe(theirs);
});

test("keeps both versions of a line that both changed, the team member's first", () => {
  expect(
    mergeNotes(BASE, BASE.replace("Two dogs", "One dog"), BASE.replace("Two dogs", "Two big dogs")),
  ).toBe("Gate code 4711\nOne dog\n\nTwo big dogs\nMow fortnightly");
  expect(mergeNotes("", "Theirs", "Mine")).toBe("Theirs\n\nMine");
});

test("never loses a line of either side", () => {
  const words = ["a", "b", "c", "d"];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const change = (lines: string[], mark: string) => {
    const place = random(lines.length + 1);
    return lines.toSpliced(place, 0, `${mark}${place}`);
  };
  for (let round = 0; round < 500; round += 1) {
    const base = Array.from({ length: random(6) + 1 }, () => words[random(words.length)]!);
    const [theirs, mine] = [change(base, "t"), change(base, "m")];
    const merged = mergeNotes(base.join("\n"), theirs.join("\n"), mine.join("\n")).split("\n");
    for (const line of [...theirs, ...mine]) expect(merged, `${base} ${theirs} ${mine}`).toContain(line);
    expect(merged.filter(Boolean).length).toBe(base.length + 2);
  }
});

test("merges thousands of lines without a long comparison", () => {
  expect(mergeNotes(long("a"), long("b"), long("c"))).toBe(`${long("b")}\n\n${long("c")}`);
});
