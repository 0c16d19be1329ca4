/**
 * Tests of the Worker use HTTP and the helpers of `testing/`, so that a moved function or a renamed table does not change
 * them. New tests import only types and their own rules from `worker/`. `test-imports.ts` lists the exceptions.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { READS_TABLES, USES_INTERNALS } from "./test-imports.ts";

const TABLES = "worker/tables.ts";

/** Returns the files of `worker/` that a test imports for more than their types, except the rules beside it. */
function internalsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const imports = [...source.matchAll(/^import\s+(?!type\s)[^;"]*?\bfrom\s+"(\.[^"]+)";/gm)];
  const targets = imports.map(([, path]) => join(dirname(file), path!));
  const isRule = (path: string) => dirname(path) === dirname(file) && basename(path).endsWith("rules.ts");
  return targets.filter((path) => path.startsWith("worker/") && !isRule(path));
}

const tests = globSync("worker/**/*.test.ts", { cwd: ROOT })
  .filter((file) => !file.endsWith(".unit.test.ts"))
  .map((file) => ({ file, internals: internalsOf(file) }));

const filesWhere = (has: (path: string) => boolean) =>
  tests.flatMap(({ file, internals }) => (internals.some(has) ? [file] : [])).toSorted();

const ADVICE =
  "Use testing/drivers.ts and testing/facts.ts. Only remove entries from the lists in scripts/test-imports.ts.";

test("a Workers test imports only its own rules, except the tests still listed", () => {
  expect(tests.length, "the test sees the files").toBeGreaterThan(130);
  expect(
    filesWhere((path) => path !== TABLES),
    ADVICE,
  ).toEqual(USES_INTERNALS);
});

test("a Workers test imports no tables, except the tests still listed", () => {
  expect(
    filesWhere((path) => path === TABLES),
    ADVICE,
  ).toEqual(READS_TABLES);
});
