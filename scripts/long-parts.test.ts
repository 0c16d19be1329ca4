/**
 * Checks that the weekly workflow runs every part of `npm run test:long`, and that docs/quality.md lists the
 * cost of each.
 */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { PART_NAMES } from "./long-parts.ts";

const read = (file: string) => readFileSync(`${ROOT}${file}`, "utf8");

test("the workflow runs every part", () => {
  const [, names = ""] = /^ +part:\s+\[([^\]]+)\]/m.exec(read(".github/workflows/long.yml")) ?? [];
  expect((names.match(/[\w-]+/g) ?? []).toSorted()).toEqual(PART_NAMES.toSorted());
});

test("docs/quality.md has a line for every part", () => {
  const [, section = ""] = read("docs/quality.md").split("\n## What takes long\n");
  const names = [...section.split("\n## ")[0]!.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name!);
  expect(names.toSorted()).toEqual(PART_NAMES.toSorted());
});
