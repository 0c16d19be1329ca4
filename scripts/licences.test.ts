/** Checks that the licence of every runtime dependency allows us to ship it. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { isAllowed } from "./licence-rules.ts";
import { ROOT } from "../testing/tools.ts";

type Lock = { packages: Record<string, { license?: string; dev?: boolean; devOptional?: boolean }> };

const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8")) as Lock;
const shipped = Object.entries(packages).filter(
  ([path, { dev, devOptional }]) => path && !dev && !devOptional,
);

test("every shipped package has a permissive licence or the MPL-2.0", () => {
  expect(shipped.length).toBeGreaterThan(50);
  const unwelcome = shipped.filter(([, { license }]) => !isAllowed(license));
  expect(unwelcome.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test("a licence is recognised in any notation; an OR needs one allowed licence, an AND all", () => {
  for (const licence of [
    "MIT",
    "Apache-2.0",
    "MPL-2.0",
    "(GPL-3.0 OR MIT)",
    "MIT AND ISC",
    "(MIT AND (0BSD OR GPL-2.0))",
  ])
    expect(isAllowed(licence), licence).toBe(true);
  for (const licence of [
    "GPL-3.0",
    "AGPL-3.0-only",
    "MIT AND GPL-2.0",
    "SEE LICENSE IN x",
    "UNLICENSED",
    "",
    undefined,
  ])
    expect(isAllowed(licence), String(licence)).toBe(false);
});
