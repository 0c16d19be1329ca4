/** Words and names that make the code harder to read. A list counts those that are left. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import LEFT from "./words-left.json" with { type: "json" };

/** Words that no native engineer or gardener would use here. docs/voice.md says what to write instead. */
const WORDS =
  /\b(?:whoever|somebody|nobody|told|heard|for ever|by now|so many|put right|in vain|meanwhile|theirs)\b/gi;

/** Comments, and strings in any quotes. */
const PIECES =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/[^\n]*)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const EXPORTS = /^export (?:async )?(?:type|interface|function\*?|const|class|enum) (\w+)/gm;

/** Names that React Router gives to the exports of every route module. */
const OF_ROUTES = new Set([
  "loader",
  "action",
  "meta",
  "headers",
  "handle",
  "links",
  "shouldRevalidate",
  "ErrorBoundary",
]);

const listFiles = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");

const read = (file: string) => readFileSync(`${ROOT}${file}`, "utf8");

const countWords = (text: string) => text.match(WORDS)?.length ?? 0;

/** Counts the words in a file's comments and in its strings. A whole document counts as one string. */
function countIn(file: string): { comments: number; strings: number } {
  const text = read(file);
  if (file.endsWith(".md")) return { comments: 0, strings: countWords(text) };
  const counts = { comments: 0, strings: 0 };
  for (const { 0: piece, groups } of text.matchAll(PIECES))
    counts[groups!.comment ? "comments" : "strings"] += countWords(piece);
  return counts;
}

/** Returns the names that several files in `contract/`, `worker/` and `web/` export. */
function sharedNames(): string[] {
  const homes = new Map<string, Set<string>>();
  for (const file of listFiles("contract/*.ts", "worker/*.ts", "web/*.ts", "web/*.tsx")) {
    if (file.includes(".test.")) continue;
    for (const [, name] of read(file).matchAll(EXPORTS))
      homes.set(name!, (homes.get(name!) ?? new Set()).add(file));
  }
  return [...homes].filter(([name, files]) => files.size > 1 && !OF_ROUTES.has(name)).map(([name]) => name);
}

const files = listFiles("*.ts", "*.tsx", "*.css", "*.md").filter((file) => file !== "scripts/words.test.ts");

test("each exported name in contract/, worker/ and web/ belongs to one file", () => {
  expect(sharedNames()).toEqual([]);
});

test("the list has the exact counts, so that no file can add words", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const counts = files.map((file) => [file, countIn(file)] as const);
  expect(
    Object.fromEntries(counts.filter(([, { comments, strings }]) => comments + strings > 0)),
    "docs/voice.md has better words",
  ).toEqual(LEFT);
});
