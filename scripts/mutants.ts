/**
 * `npm run mutants`: makes small mistakes in the real source, one at a time and only in memory, and checks
 * that the simulation catches each one. For each mutant the simulation misses, it runs the quick unit tests,
 * then the market and money tests in the Workers runtime. Prints the mutants that survive. `--only=WORDS`
 * selects mutants by name, `--from=N` starts with the Nth, `--schedules=N` sets the number of schedules.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { GUARANTEE_MUTANTS } from "./mutants/catalogue-guarantee.ts";
import { MARKET_MUTANTS } from "./mutants/catalogue-market.ts";
import { MONEY_MUTANTS } from "./mutants/catalogue-money.ts";
import { SIMULATION_MUTANTS } from "./mutants/catalogue-simulation.ts";
import { type Mutant, mutate } from "./mutants/mutant.ts";
import { readArguments } from "./command.ts";
import { ROOT, TOOLS_ENV } from "../testing/tools.ts";

const SCHEDULES = 1_500;

type Detector = "simulation" | "unit tests" | "runtime tests";
type Verdict = { mutant: Mutant; by: Detector | null; how: string };

/** Prints an error in one sentence and exits. */
function exitWithError(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

const SPEC = { name: "mutants", options: { only: "text", from: "text", schedules: "text" } } as const;

function parseArguments() {
  try {
    const args = readArguments(SPEC);
    const [from, schedules] = [args.option("from") ?? "1", args.option("schedules") ?? String(SCHEDULES)];
    for (const [name, value] of Object.entries({ from, schedules }))
      if (!/^\d{1,7}$/.test(value)) exitWithError(`--${name} must be a whole number, not "${value}".`);
    return { only: args.option("only") ?? "", from: Number(from), schedules: Number(schedules) };
  } catch (error) {
    exitWithError((error as Error).message);
  }
}

/** Plays schedules against a mutated source. @returns the violation, or null */
function simulateWith(mutant: Mutant, schedules: number): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./mutants/simulate-mutant.ts", import.meta.url), {
      workerData: { mutant, schedules },
      stdout: true,
      stderr: true,
    });
    let found: string | null = null;
    worker.on("message", (message: string | null) => (found = message));
    // If a source fails to load or a program exits, the mutant counts as caught.
    worker.on("error", (error) => (found = error.message));
    worker.on("exit", () => resolve(found));
  });
}

/** Maximum time a test run may print nothing. The slowest file takes a minute on a busy machine. */
const SILENCE_MS = 300_000;

/**
 * Runs tests against a mutated source and kills them at the first failure. Vitest's own bail option hangs
 * while the Workers runtime is busy.
 *
 * @returns the first test that fails, or null
 */
function testWith(mutant: Mutant, config: string): Promise<string | null> {
  const args = ["run", "--config", `${ROOT}scripts/mutants/${config}`, "--reporter=verbose"];
  const env = { ...process.env, ...TOOLS_ENV, MUTANT: JSON.stringify(mutant), NO_COLOR: "1" };
  return new Promise((resolve) => {
    // A separate process group, so that any runtimes it started end with it.
    const child = spawn(`${ROOT}node_modules/.bin/vitest`, args, { cwd: ROOT, env, detached: true });
    let output = "";
    let silence: NodeJS.Timeout;
    const end = (failed: string | null) => {
      clearTimeout(silence);
      resolve(failed);
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // The group has already ended.
      }
    };
    const onOutput = (chunk: Buffer | string) => {
      clearTimeout(silence);
      silence = setTimeout(() => end("the tests hang"), SILENCE_MS);
      output += String(chunk);
      const failed = /[×✗] (.*?)(?: \d+\s?ms)?\n/.exec(output)?.[1];
      if (failed !== undefined) end(failed);
    };
    onOutput("");
    child.stdout.on("data", onOutput);
    child.stderr.on("data", onOutput);
    child.on("exit", (code) => end(code === 0 ? null : "the tests do not run"));
  });
}

async function testMutant(mutant: Mutant, schedules: number): Promise<Verdict> {
  const broken = await simulateWith(mutant, schedules);
  if (broken !== null) return { mutant, by: "simulation", how: broken };
  const failed = await testWith(mutant, "vitest.config.ts");
  if (failed !== null) return { mutant, by: "unit tests", how: failed };
  const failedThere = await testWith(mutant, "vitest.workerd.config.ts");
  return failedThere === null
    ? { mutant, by: null, how: "" }
    : { mutant, by: "runtime tests", how: failedThere };
}

const { only, from, schedules } = parseArguments();
const mutants = [...MARKET_MUTANTS, ...MONEY_MUTANTS, ...SIMULATION_MUTANTS, ...GUARANTEE_MUTANTS]
  .slice(Math.max(0, from - 1))
  .filter(({ name }) => name.includes(only));
if (mutants.length === 0) exitWithError(`No mutant is called "${only}".`);
// Before running anything, find mutants that no longer match the source.
for (const mutant of mutants) mutate(readFileSync(`${ROOT}${mutant.file}`, "utf8"), mutant);
const verdicts: Verdict[] = [];
const waiting = [...mutants];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await testMutant(mutant, schedules);
      verdicts.push(verdict);
      console.log(
        `${verdict.by ? "✓" : "✗ SURVIVES"} ${mutant.name}${verdict.by ? ` (${verdict.by}: ${verdict.how.slice(0, 110)})` : ""}`,
      );
    }
  }),
);
const count = (by: Verdict["by"]) => verdicts.filter((verdict) => verdict.by === by).length;
const caught = mutants.length - count(null);
console.log(
  `\n${caught} of ${mutants.length} caught (${((100 * caught) / mutants.length).toFixed(0)} %): ${count("simulation")} by the simulation, ${count("unit tests")} by unit tests, ${count("runtime tests")} by tests in the Workers runtime`,
);
for (const { mutant } of verdicts.filter(({ by }) => by === null))
  console.log(`survives: ${mutant.name} (${mutant.file})`);
