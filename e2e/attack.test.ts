/** A short attack on the production build with a fixed seed. `npm run attack` is the long version. */
import { expect, test } from "vitest";

import { run } from "../testing/tools.ts";

const attack = (...args: string[]) =>
  run("node", ["--disable-warning=ExperimentalWarning", "attack/run.ts", "--no-build", ...args]);

test("2,000 hostile requests find no failure, no leak and no row changed by a refused request", async () => {
  const printed = await attack("--requests=2000", "--seed=20261122");
  console.log(printed);
  expect(printed).toMatch(/hostile requests +\| 2000 /);
  const found = [...printed.matchAll(/^\| [a-z5].*\| (\d+) +\|$/gm)].map(([, count]) => count);
  expect(found.slice(-9)).toEqual(Array.from({ length: 9 }, () => "0"));
}, 600_000);
