/** The parts of `npm run test:long`: larger versions of the checks in `npm test`. */
import { DAY_MS } from "../contract/durations.ts";

/** Seeds per day, so that each run uses new seeds. */
const SEEDS_PER_DAY = 10_000;
const SCHEDULES = 6_000;

type Part = {
  /** Arguments for `vitest run`. A part has either these or `script`. */
  vitest?: readonly string[];
  /** A script in this project, with its arguments. */
  script?: readonly string[];
  env?: Readonly<Record<string, string>>;
};

/** Every part by name, quickest first. */
export const PARTS = {
  attack: { script: ["attack/run.ts", "--no-build", "--requests=20000"] },
  holes: { script: ["attack/run.ts", "--no-build", "--holes"] },
  "query-plans": {
    vitest: ["--project", "workerd", "worker/query-plans.test.ts"],
    env: { MARKET_PART: "1", LONG_TESTS: "1" },
  },
  faults: {
    vitest: ["--project", "unit", "testing/simulation/simulation.test.ts"],
    env: { LONG_TESTS: "1" },
  },
  simulation: {
    script: [
      "scripts/simulate.ts",
      `--schedules=${SCHEDULES}`,
      `--from=${Math.floor(Date.now() / DAY_MS) * SEEDS_PER_DAY}`,
      "--keep-going",
    ],
  },
  // The full versions of tests that `npm test` runs in a shorter form.
  browsers: { vitest: ["--project", "e2e"], env: { LONG_TESTS: "1" } },
  "unsteady-link": {
    vitest: ["--project", "e2e", "e2e/"],
    env: { UNSTEADY_LINK: "1" },
  },
  stryker: { script: ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "scripts/stryker.json"] },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as PartName[];
