/** A short attack on the production build, with a fixed seed. `npm run attack` is the long version. */
import { expect, test } from "vitest";

import { run } from "../testing/tools.ts";

const REQUESTS = 300;

const attack = (...args: string[]) =>
  run("node", ["--disable-warning=ExperimentalWarning", "attack/run.ts", "--no-build", ...args]);

test("hostile requests cause no failure, no leak and no changed row after a refusal", async () => {
  const printed = await attack(`--requests=${REQUESTS}`, "--seed=20261122");
  console.log(printed);
  expect(printed).toMatch(new RegExp(`hostile requests +\\| ${REQUESTS} `));
  const found = [...printed.matchAll(/^\| [a-z5].*\| (\d+) +\|$/gm)].map(([, count]) => count);
  expect(found.slice(-11)).toEqual(Array.from({ length: 11 }, () => "0"));
});
