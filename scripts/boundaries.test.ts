import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ROOT, run } from "../testing/tools.ts";

/** Imports that the linter must reject, with part of the expected error. */
const FORBIDDEN: [file: string, source: string, reason: string][] = [
  [
    "web/leads/a.ts",
    'import { db } from "../../worker/platform/db/client.ts"; db();',
    "nothing else of the Worker",
  ],
  ["web/leads/b.ts", 'import { api } from "../../worker/api.ts"; api();', "must never reach a browser"],
  ["web/leads/c.ts", 'import { eq } from "drizzle-orm"; eq();', "cannot touch the database"],
  ["contract/a.ts", 'import { x } from "../worker/platform/env.ts"; x();', "imports neither of them"],
  ["contract/b.ts", 'import { x } from "hono"; x();', "no I/O and no framework"],
  [
    "worker/leads/routes.ts",
    'import { eq } from "drizzle-orm"; eq();',
    "Only store, commands, queries, sweep, messages, tables and worker/platform/db",
  ],
  ["worker/live/routes.ts", 'import { x } from "../../web/root.tsx"; x();', "only worker/pages.ts renders"],
  [
    "worker/pipeline/routes.ts",
    'import { x } from "../../testing/world.ts"; x();',
    "does not depend on its tests",
  ],
  ["worker/leads/rules.ts", 'import { x } from "./commands.ts"; x();', "rules are pure"],
  ["worker/selling/rules.ts", 'import { eq } from "drizzle-orm"; eq();', "rules are pure"],
  ["worker/leads/commands.ts", 'import { x } from "./routes.ts"; x();', "does not know who calls it"],
  ["worker/leads/queries.ts", 'import { x } from "hono"; x();', "HTTP ends in routes.ts"],
  [
    "worker/selling/commands.ts",
    'import type { X } from "../middleware/caller.ts"; export type A = X;',
    "Gates and headers are HTTP",
  ],
  [
    "worker/pipeline/rules.ts",
    'import { x } from "../middleware/access.ts"; x();',
    "Gates and headers are HTTP",
  ],
  ["web/leads/f.ts", 'import { x } from "../../testing/world.ts"; x();', "does not depend on its tests"],
  ["contract/c.ts", 'import { x } from "../testing/world.ts"; x();', "imports neither of them"],
  ["e2e/a.test.ts", 'import { x } from "../scripts/local.ts"; x();', "neither imports the other"],
  ["scripts/a.test.ts", 'import { x } from "../e2e/trickle.ts"; x();', "neither imports the other"],
  ["scripts/drills/a.ts", 'import { x } from "../../e2e/trickle.ts"; x();', "neither imports the other"],
  ["testing/product/a.ts", 'import { x } from "../../scripts/local.ts"; x();', "tests and tools stand on"],
  ["testing/a.ts", 'import { x } from "../e2e/trickle.ts"; x();', "tests and tools stand on"],
  [
    "worker/pages.ts",
    'import { eq } from "drizzle-orm"; eq();',
    "Only commands, queries and worker/platform/db",
  ],
];

const ALLOWED: [file: string, source: string][] = [
  ["e2e/b.test.ts", 'import { x } from "../testing/product/product.ts"; x();'],
  ["scripts/b.ts", 'import { x } from "../testing/product/product.ts"; x();'],
  ["testing/b.ts", 'import { x } from "../worker/platform/db/client.ts"; x();'],
  ["web/leads/d.ts", 'import type { Api } from "../../worker/api.ts"; export type A = Api;'],
  ["web/leads/e.ts", 'import { x } from "../../contract/leads.ts"; x();'],
  ["worker/pages.ts", 'import { x } from "../web/lib/server-context.ts"; x();'],
  ["worker/leads/commands.ts", 'import { eq } from "drizzle-orm"; import { x } from "./rules.ts"; eq(x);'],
];

/** Lints files in a folder of their own, in one run. @returns the linter's findings about each file */
async function lint(files: readonly (readonly [file: string, source: string, reason?: string])[]) {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, ".oxlintrc.json");
  cpSync(join(ROOT, ".oxlintrc.json"), config);
  for (const [file, source] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  const output = await run("oxlint", ["-c", config, "--format=json", folder]).catch(
    (error: Error) => error.message,
  );
  const report = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1);
  const { diagnostics } = JSON.parse(report) as { diagnostics: { filename: string }[] };
  const findingsOf = (file: string) =>
    JSON.stringify(diagnostics.filter(({ filename }) => `/${filename}`.endsWith(`/${file}`)));
  return files.map(([file, , reason = ""]) => ({ file, reason, findings: findingsOf(file) }));
}

test("the linter rejects each forbidden import, and says why", async () => {
  const linted = await lint(FORBIDDEN);
  expect(linted.filter(({ findings, reason }) => !findings.includes(reason))).toEqual([]);
});

test("the linter allows the permitted imports", async () => {
  const linted = await lint(ALLOWED);
  expect(linted.filter(({ findings }) => findings.includes("no-restricted-imports"))).toEqual([]);
});

/** Maps each folder of `web/` to the folders it imports. Includes style sheets, excludes tests. */
function webFolders(): Map<string, Map<string, string[]>> {
  const folders = new Map<string, Map<string, string[]>>();
  const files = globSync("web/**/*.{ts,tsx,css}", { cwd: ROOT }).filter((file) => !file.includes(".test."));
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const [, path] of source.matchAll(/(?:from|import|import\()\s*"(\.[^"?]+)/g)) {
      const [from, to] = [dirname(file), dirname(join(dirname(file), path!))];
      if (from === to || !to.startsWith("web") || to.endsWith("+types")) continue;
      const targets = folders.get(from) ?? new Map<string, string[]>();
      folders.set(from, targets.set(to, [...(targets.get(to) ?? []), `${file} imports ${path}`]));
    }
  }
  return folders;
}

test("no two folders of web/ import each other, and there are no import cycles", () => {
  const folders = webFolders();
  expect(folders.size, "the test sees the folders").toBeGreaterThan(15);
  const cycles: string[] = [];
  const done = new Set<string>();
  function follow(folder: string, path: readonly string[]) {
    if (path.includes(folder)) {
      const cycle = [...path.slice(path.indexOf(folder)), folder];
      const reasons = cycle.slice(1).map((to, at) => folders.get(cycle[at]!)!.get(to)![0]!);
      cycles.push(`${cycle.join(" → ")}: ${reasons.join(", ")}`);
    } else if (!done.has(folder)) {
      for (const to of folders.get(folder)?.keys() ?? []) follow(to, [...path, folder]);
      done.add(folder);
    }
  }
  for (const folder of folders.keys()) follow(folder, []);
  expect(cycles).toEqual([]);
});

test("web/ui imports no other folder of web/, and web/lib imports only web/ui", () => {
  const folders = webFolders();
  expect([...(folders.get("web/ui")?.keys() ?? [])]).toEqual([]);
  expect([...(folders.get("web/lib")?.keys() ?? [])]).toEqual(["web/ui"]);
});

/** Routes that require a super admin but belong to a resource that every user has, such as sessions. */
const SHARED_ADMIN_FILES = ["worker/identity/impersonation/routes.ts"];

test("each folder's admin-routes.ts has the routes only for super admins, and no file imports from admin/", () => {
  const files = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) => !file.includes(".test."));
  expect(files.length, "the test sees the files").toBeGreaterThan(100);
  const sources = files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const);
  const gated = sources.filter(([, source]) => /\baccess\.superAdmin\b/.test(source)).map(([file]) => file);
  expect(gated).toContain("worker/operations/leads/admin-routes.ts");
  const astray = gated.filter(
    (file) => !/\/admin-routes\.ts$|^worker\/operations\/admin\/routes\.ts$/.test(file),
  );
  expect(astray).toEqual(SHARED_ADMIN_FILES);
  const mixed = sources.filter(
    ([file, source]) => file.endsWith("admin-routes.ts") && /\baccess\.(?!superAdmin\b|ts")/.test(source),
  );
  expect(mixed.map(([file]) => file)).toEqual([]);
  const reaching = sources.filter(
    ([file, source]) =>
      !/^worker\/(operations\/admin\/|api\.ts)/.test(file) && /from "\.\.?\/admin\//.test(source),
  );
  expect(reaching.map(([file]) => file)).toEqual([]);
});
