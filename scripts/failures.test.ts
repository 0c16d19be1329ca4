import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** Matches a test name that says which row of docs/failures.md it proves. */
const ROW_OF_TEST = /["`]row (\d+): /g;

/** Returns the test files that prove each row, according to their test names. */
function shownRows(): Map<number, string[]> {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const shown = new Map<number, string[]>();
  for (const file of files.trim().split("\n").toSorted()) {
    const text = readFileSync(`${ROOT}${file}`, "utf8");
    for (const row of new Set([...text.matchAll(ROW_OF_TEST)].map(([, number]) => Number(number))))
      shown.set(row, [...(shown.get(row) ?? []), file]);
  }
  return shown;
}

/** Returns the rows of docs/failures.md with the files each one lists. */
function listedRows(): Map<number, string[]> {
  const lines = readFileSync(`${ROOT}docs/failures.md`, "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const row = /^\| (\d+) \|/.exec(line)?.[1];
      const shownIn = line.split("|").at(-2) ?? "";
      return row ? [[Number(row), [...shownIn.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)]] : [];
    }),
  );
}

test("each row of docs/failures.md lists the files whose tests have its number, and each such test has a row", () => {
  expect(Object.fromEntries(shownRows())).toEqual(Object.fromEntries(listedRows()));
});
