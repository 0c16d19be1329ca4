import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { ROOT, run } from "./local.ts";

/** Imports that must not pass, with a word of the reason the linter has to give. */
const FORBIDDEN: [file: string, source: string, reason: string][] = [
  ["web/leads/a.ts", 'import { db } from "../../worker/db/client.ts"; db();', "nothing else of the Worker"],
  ["web/leads/b.ts", 'import { api } from "../../worker/api.ts"; api();', "must never reach a browser"],
  ["web/leads/c.ts", 'import { eq } from "drizzle-orm"; eq();', "cannot touch the database"],
  ["contract/a.ts", 'import { x } from "../worker/env.ts"; x();', "imports neither of them"],
  ["contract/b.ts", 'import { x } from "hono"; x();', "no I/O and no framework"],
  [
    "worker/leads/routes.ts",
    'import { eq } from "drizzle-orm"; eq();',
    "Only commands, queries and worker/db",
  ],
  ["worker/leads/routes.ts", 'import { x } from "../../web/root.tsx"; x();', "only worker/pages.ts renders"],
  ["worker/leads/routes.ts", 'import { x } from "../testing/world.ts"; x();', "does not depend on its tests"],
  ["worker/leads/rules.ts", 'import { x } from "./commands.ts"; x();', "rules are pure"],
  ["worker/leads/rules.ts", 'import { eq } from "drizzle-orm"; eq();', "rules are pure"],
  ["worker/leads/commands.ts", 'import { x } from "./routes.ts"; x();', "does not know who calls it"],
  ["worker/leads/queries.ts", 'import { x } from "hono"; x();', "HTTP ends in routes.ts"],
  ["worker/pages.ts", 'import { eq } from "drizzle-orm"; eq();', "Only commands, queries and worker/db"],
];

const ALLOWED: [file: string, source: string][] = [
  ["web/leads/d.ts", 'import type { Api } from "../../worker/api.ts"; export type A = Api;'],
  ["web/leads/e.ts", 'import { x } from "../../contract/leads.ts"; x();'],
  ["worker/pages.ts", 'import { x } from "../web/lib/server-context.ts"; x();'],
  ["worker/leads/commands.ts", 'import { eq } from "drizzle-orm"; import { x } from "./rules.ts"; eq(x);'],
];

const folder = mkdtempSync(join(tmpdir(), "naturestrip-lint-"));
cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the linter says about one file. */
async function lint(file: string, source: string): Promise<string> {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  const config = join(folder, ".oxlintrc.json");
  const output = await run("oxlint", ["-c", config, "--deny-warnings", path]).catch(
    (error: Error) => error.message,
  );
  rmSync(path);
  return output.replaceAll(/\s+/g, " ");
}

test.each(FORBIDDEN)("the linter keeps %s from: %s", async (file, source, reason) => {
  expect(await lint(file, source)).toContain(reason);
});

test.each(ALLOWED)("the linter lets %s: %s", async (file, source) => {
  expect(await lint(file, source)).not.toContain("no-restricted-imports");
});
