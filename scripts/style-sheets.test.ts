/** Each class has one meaning and one style sheet, so that a developer finds all its rules there. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

const SHEETS = globSync("web/**/*.css", { cwd: ROOT }).toSorted();
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** A rule's selectors, and whether it is outside every at-rule. */
type Rule = { selectors: string[]; isTopLevel: boolean };

/** Splits a selector list, but not inside brackets. */
function splitList(list: string): string[] {
  return list
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim().replaceAll(/\s+/g, " "))
    .filter(Boolean);
}

/** Returns a style sheet's rules. Includes those in media queries, but not animation steps. */
function rulesOf(source: string): Rule[] {
  const rules: Rule[] = [];
  const open: string[] = [];
  let text = "";
  for (const sign of source.replaceAll(/\/\*[\s\S]*?\*\//g, "")) {
    if (sign === "{") {
      const head = text.trim();
      const isKeyframe = open.some((outer) => outer.startsWith("@keyframes"));
      if (!head.startsWith("@") && !isKeyframe) {
        rules.push({ selectors: splitList(head), isTopLevel: open.length === 0 });
      }
      open.push(head);
    }
    if (sign === "}") open.pop();
    text = /[{};]/.test(sign) ? "" : text + sign;
  }
  return rules;
}

/** Returns the first class of a selector, which owns the rule. `.head .button` belongs to `head`. */
const ownerOf = (selector: string) => /\.([a-zA-Z][\w-]*)/.exec(selector)?.[1];

/** Returns the classes that have rules in several style sheets, with those sheets. */
function findScattered(sheets: readonly [file: string, source: string][]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const [file, source] of sheets) {
    for (const owner of rulesOf(source).flatMap(({ selectors }) => selectors.map(ownerOf))) {
      if (owner) homes.set(owner, (homes.get(owner) ?? new Set()).add(file));
    }
  }
  return [...homes]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `.${name}: ${[...files].join(", ")}`);
}

/** Returns the classes that a style sheet defines more than once. */
function findRepeated(source: string): string[] {
  const seen = rulesOf(source)
    .filter(
      ({ selectors, isTopLevel }) => isTopLevel && selectors.length === 1 && /^\.[\w-]+$/.test(selectors[0]!),
    )
    .map(({ selectors }) => selectors[0]!);
  return seen.filter((name, at) => seen.indexOf(name) !== at);
}

test("each class has its rules in one style sheet", () => {
  expect(findScattered(SHEETS.map((file) => [file, read(file)]))).toEqual([]);
});

test.each(SHEETS)("%s defines each class once", (file) => {
  expect(findRepeated(read(file))).toEqual([]);
});

test("a class with two meanings, in a media query or beside others, is found", () => {
  const piece = ".card { color: red } .card .icon { color: red }";
  expect(
    findScattered([
      ["a.css", piece],
      ["b.css", ".card:hover { color: red }"],
    ]),
  ).toEqual([".card: a.css, b.css"]);
  expect(
    findScattered([
      ["a.css", piece],
      ["b.css", "@media print { p, li.card { top: 0 } }"],
    ]),
  ).toHaveLength(1);
  expect(
    findScattered([
      ["a.css", piece],
      ["b.css", ".head .card { color: red }"],
    ]),
  ).toEqual([]);
  expect(findRepeated(`${piece} .card { top: 0 }`)).toEqual([".card"]);
  expect(findRepeated(`${piece} @media print { .card { top: 0 } }`)).toEqual([]);
});

test("every style sheet is imported by its component or by a list of sheets", () => {
  const asking = globSync("web/**/*.{css,ts,tsx}", { cwd: ROOT });
  const asked = asking.flatMap((file) =>
    [...read(file).matchAll(/import (?:\w+ from )?"(\.[^"?]+\.css)/g)].map(([, path]) =>
      join(dirname(file), path!),
    ),
  );
  expect(SHEETS.filter((file) => !asked.includes(file))).toEqual([]);
  expect(asked.filter((file) => !SHEETS.includes(file))).toEqual([]);
});

const listed = (file: string) => [...read(file).matchAll(/@import "([^"]+)"/g)].map(([, path]) => path!);

test.each(["lean", "suburb"])("the %s list of sheets is part of the full list, in the same order", (name) => {
  const all = listed("web/documents.css");
  const lean = listed(`web/documents-${name}.css`);
  expect(lean.length, "the list is read").toBeGreaterThan(5);
  expect(lean).toEqual(all.filter((path) => lean.includes(path)));
});

const TOKENS = read("web/ui/tokens.css");

test("layouts change only at the breakpoints that web/ui/tokens.css lists", () => {
  const listed = [...TOKENS.matchAll(/^ \* {3}(\d+)rem {2}\w/gm)].map(([, rem]) => Number(rem));
  expect(listed.length, "the list is read").toBeGreaterThan(3);
  const allowed = new Set(listed.flatMap((rem) => [`${rem}rem`, `${(rem - 0.01).toFixed(2)}rem`]));
  const used = SHEETS.flatMap((file) =>
    [...read(file).matchAll(/@(?:media|container)[^{]*?\{/g)].flatMap(([query]) =>
      [...query.matchAll(/width[:<>=\s]+([\d.]+\w+)/g)].map(([, width]) => ({ file, width: width! })),
    ),
  );
  expect(used.length, "the queries are read").toBeGreaterThan(20);
  expect(used.filter(({ width }) => !allowed.has(width))).toEqual([]);
});

test("every z-index is listed in web/ui/tokens.css, and within a component it is 1 or 2", () => {
  const listed = [...TOKENS.matchAll(/^ \* {3,4}(\d+) {2}\w/gm)].map(([, value]) => value!);
  expect(listed.length, "the list is read").toBeGreaterThan(3);
  const used = SHEETS.flatMap((file) =>
    [...read(file).matchAll(/z-index: ([^;]+);/g)].map(([, value]) => ({ file, value: value! })),
  );
  expect(used.filter(({ value }) => !["1", "2", ...listed].includes(value))).toEqual([]);
  expect(listed.filter((value) => used.every((use) => use.value !== value))).toEqual([]);
});

/** Labels in a chart and on a map, in the units of the drawing, which grows with its width. */
const DRAWN_SIZES = ["500 12px var(--sans)", "17px", "calc(3.6 * var(--unit))", "calc(2.7 * var(--unit))"];

test("text has the sizes of the tokens, except the labels in drawings", () => {
  const token = /^(?:(?:\d+ )?var\(--text-\w+\)(?: \/ [\d.]+ [^;]+)?|inherit)$/;
  const sizes = SHEETS.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w-])font(?:-size)?:\s*([^;]+);/g)].map(([, size]) =>
      size!.replaceAll(/\s+/g, " "),
    ),
  );
  expect(sizes.length, "the sizes are read").toBeGreaterThan(100);
  expect(sizes.filter((size) => !token.test(size)).toSorted()).toEqual(DRAWN_SIZES.toSorted());
});

/** Returns the font sizes that a sheet defines. */
const sizesIn = (file: string) => [...read(file).matchAll(/(--text-\w+):/g)].map(([, size]) => size!);

test("every font-size token is defined and used, and the application's own tokens only in its sheets", () => {
  const [common, own] = [sizesIn("web/ui/tokens.css"), sizesIn("web/app/app.css")];
  const [documents, application] = ["web/documents.css", "web/application.css"].map((file) =>
    listed(file).map((path) => join("web", path)),
  );
  const used = SHEETS.flatMap((file) =>
    [...read(file).matchAll(/var\((--text-\w+)/g)].map(([, size]) => ({ file, size: size! })),
  );
  const isDefined = ({ file, size }: { file: string; size: string }) =>
    common.includes(size) ||
    (own.includes(size) && application!.includes(file) && !documents!.includes(file));
  expect(used.filter((use) => !isDefined(use))).toEqual([]);
  expect([...common, ...own].filter((size) => used.every((use) => use.size !== size))).toEqual([]);
});
