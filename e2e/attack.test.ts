/** A short attack on the production build, with a fixed seed. `npm run attack` is the long version. */
import { expect, test } from "vitest";

import { IS_LONG } from "../testing/long.ts";
import { run } from "../testing/tools.ts";

const attack = (...args: string[]) =>
  run("node", ["--disable-warning=ExperimentalWarning", "attack/run.ts", "--no-build", ...args]);

test("1,000 hostile requests cause no failure, no leak and no changed row after a refusal", async () => {
  const printed = await attack("--requests=1000", "--seed=20261122");
  console.log(printed);
  expect(printed).toMatch(/hostile requests +\| 1000 /);
  const found = [...printed.matchAll(/^\| [a-z5].*\| (\d+) +\|$/gm)].map(([, count]) => count);
  expect(found.slice(-10)).toEqual(Array.from({ length: 10 }, () => "0"));
});

test.runIf(IS_LONG)(
  "the attack notices each of thirty planted holes, and reports nothing without one",
  async () => {
    const printed = await attack("--holes");
    console.log(printed);
    expect(printed).toContain("30 of 30 holes noticed");
  },
);
