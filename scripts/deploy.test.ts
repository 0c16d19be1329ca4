import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT, run } from "../testing/tools.ts";

const deploy = (...args: string[]) => run("node", ["scripts/deploy.ts", "--dry-run", "--built", ...args]);

test("a dry run of the deploy accepts the configuration and prints the bundle's size", async () => {
  const output = await deploy();
  console.log(/Total Upload:.*/.exec(output)?.[0]);
  expect(output).toMatch(/Total Upload: [\d.]+ KiB \/ gzip: [\d.]+ KiB/);
  expect(output).toContain('env.PAYMENTS ("stripe")');
  expect(output).toMatch(/BANK_DETAILS_KEYS/);
});

test("nothing of the site is reachable at workers.dev, and only one setting names its domain", () => {
  const built = JSON.parse(readFileSync(`${ROOT}build/server/wrangler.json`, "utf8")) as object;
  expect(built).toMatchObject({ workers_dev: false, preview_urls: false, vars: { SITE_HOST: "" } });
  for (const key of ["route", "routes"]) expect(built).not.toHaveProperty([key, 0]);
});

test("a deploy that sells leads without a card is refused unless explicitly allowed", async () => {
  const config = "build/server/wrangler.direct.json";
  const built = JSON.parse(readFileSync(`${ROOT}build/server/wrangler.json`, "utf8")) as { vars: object };
  writeFileSync(
    `${ROOT}${config}`,
    JSON.stringify({ ...built, vars: { ...built.vars, PAYMENTS: "direct" } }),
  );
  try {
    await expect(deploy(`--config=${config}`)).rejects.toThrow("--allow-direct");
    expect(await deploy(`--config=${config}`, "--allow-direct")).toContain('env.PAYMENTS ("direct")');
  } finally {
    rmSync(`${ROOT}${config}`);
  }
});
