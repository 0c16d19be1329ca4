import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { GUARANTEE_MUTANTS } from "./mutants/catalogue-guarantee.ts";
import { MARKET_MUTANTS } from "./mutants/catalogue-market.ts";
import { MONEY_MUTANTS } from "./mutants/catalogue-money.ts";
import { SIMULATION_MUTANTS } from "./mutants/catalogue-simulation.ts";
import { mutate } from "./mutants/mutant.ts";

test("each mutant matches its source in exactly one place, changes it, and has a unique name", () => {
  const mutants = [...MARKET_MUTANTS, ...MONEY_MUTANTS, ...SIMULATION_MUTANTS, ...GUARANTEE_MUTANTS];
  for (const mutant of mutants) {
    const source = readFileSync(`${ROOT}${mutant.file}`, "utf8");
    expect(mutate(source, mutant), mutant.name).not.toBe(source);
  }
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThan(60);
});
