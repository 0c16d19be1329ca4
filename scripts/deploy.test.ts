import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";
import { unstable_readConfig } from "wrangler";

import { ROOT, TOOLS_ENV } from "../testing/tools.ts";

/** Runs a dry run on the existing build. Returns its output and its exit code. */
function deploy(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(
    "node",
    ["scripts/deploy.ts", "--dry-run", "--built", ...args],
    { cwd: ROOT, encoding: "utf8", env: { ...process.env, ...TOOLS_ENV } },
  );
  return { output: stdout + stderr, status };
}

/** Writes a configuration beside the build's own, and deletes it after the test. */
function writeConfig(vars: Record<string, string>): string {
  const config = "build/server/wrangler.changed.json";
  const built = JSON.parse(readFileSync(`${ROOT}build/server/wrangler.json`, "utf8")) as { vars: object };
  writeFileSync(`${ROOT}${config}`, JSON.stringify({ ...built, vars: { ...built.vars, ...vars } }));
  onTestFinished(() => rmSync(`${ROOT}${config}`));
  return `--config=${config}`;
}

test("a dry run ends with one checklist, and fails while anything is missing", () => {
  const { output, status } = deploy();
  console.log(/Total Upload:.*/.exec(output)?.[0]);
  expect(output).toMatch(/Total Upload: [\d.]+ KiB \/ gzip: [\d.]+ KiB/);
  const [, list = ""] = output.split("Checklist of this deploy:\n");
  for (const name of ["SITE_HOST", "BUSINESS_NAME", "CONTACT_EMAIL", "database_id"])
    expect(list).toContain(`[ ] ${name} is `);
  for (const name of ["queue naturestrip-messages", "bucket naturestrip-files", "secret STRIPE_SECRET_KEY"])
    expect(list).toContain(`${name} `);
  expect(list.trim().split("\n").at(-1)).toMatch(/^\d+ of \d+ are missing/);
  expect(output.trim().split("\n").length).toBeLessThan(30);
  expect(status).toBe(1);
});

test("nothing of the site is reachable at workers.dev, and only one setting names its domain", () => {
  const built = JSON.parse(readFileSync(`${ROOT}build/server/wrangler.json`, "utf8")) as object;
  expect(built).toMatchObject({ workers_dev: false, preview_urls: false, vars: { SITE_HOST: "" } });
  for (const key of ["route", "routes"]) expect(built).not.toHaveProperty([key, 0]);
});

test("without a build, wrangler says to build first", () => {
  const { assets } = unstable_readConfig({ config: `${ROOT}wrangler.toml` });
  expect(assets?.directory).toMatch(/^BUILD FIRST: npm run build$/);
  const built = JSON.parse(readFileSync(`${ROOT}build/server/wrangler.json`, "utf8")) as object;
  expect(built).toMatchObject({ assets: { directory: "../client" } });
});

test("a deploy that sells leads without a card is refused unless explicitly allowed", () => {
  const config = writeConfig({ PAYMENTS: "direct" });
  expect(deploy(config).output).toMatch(/\[ \] PAYMENTS is "direct": .*--allow-direct/);
  expect(deploy(config, "--allow-direct").output).not.toContain("PAYMENTS");
});
