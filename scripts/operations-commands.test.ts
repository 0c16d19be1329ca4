/** Checks that a test runs every command in docs/operations.md, unless the command needs an account. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { documentedCommands, OPERATIONS } from "./operations-commands.ts";

test("the table lists every command in the document, and no others", () => {
  const named = new Set(documentedCommands().map(({ name }) => name));
  expect([...named].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
});

test("every test that the table names exists", () => {
  const files = Object.values(OPERATIONS).filter((by) => by !== "drill" && by !== "account");
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("the document is parsed as written: whole lines with their descriptions", () => {
  const lines = documentedCommands().map(({ line }) => line);
  expect(lines).toContain("npm run operate -- erase --username=pat-provider --remote");
  expect(lines).toContain("npm run operate -- reconcile --fix --remote");
});
