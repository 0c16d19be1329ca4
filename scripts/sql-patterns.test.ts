/** D1 refuses patterns of LIKE and GLOB over 50 bytes with an error, so no text from outside may be one. */
import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** A pattern that is not a literal, or drizzle's functions for such patterns. */
const OPEN_PATTERN = /\b(?:LIKE|GLOB)\b(?!\s+'[^'$]*'(?!\s*\|\|))|\b(?:i?like|notI?[lL]ike|glob)\((?!\{)/;

const withoutComments = (code: string) => code.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "");

const sources = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith("test.ts"));

test("no text from outside reaches LIKE or GLOB", () => {
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter((file) =>
    OPEN_PATTERN.test(withoutComments(readFileSync(ROOT + file, "utf8"))),
  );
  expect(found).toEqual([]);
});

test.each([
  "sql`${users.name} LIKE ${pattern}`",
  "sql`name LIKE '%' || ${text} || '%'`",
  "sql`name LIKE '${text}%'`",
  "sql`name GLOB ${pattern}`",
  "like(users.name, `%${text}%`)",
])("the test finds %j", (code) => expect(OPEN_PATTERN.test(code)).toBe(true));

test.each(["sql`username NOT LIKE 'erased-%'`", "sql`phone GLOB '+614[0-9]'`", "instr(name, ${text})"])(
  "the test allows %j",
  (code) => expect(OPEN_PATTERN.test(code)).toBe(false),
);
