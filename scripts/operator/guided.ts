/**
 * A command of several steps that asks before each and goes on where it was left: what is done is kept in a
 * file, so that a closed window or a failed step begins nothing anew.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What is known of a run under way; `facts` is what its steps have to remember. */
export type Run<Plan, Facts> = { began: string; plan: Plan; facts: Facts; done: string[] };

export type Step<Plan, Facts> = {
  name: string;
  /** What is asked for, as in "Next: take every region off the market". */
  title: (run: Run<Plan, Facts>) => string;
  /** @param keep writes the facts down before the step is over @throws Error when it has to be done again */
  work: (run: Run<Plan, Facts>, keep: () => void) => Promise<void>;
};

/** Asks whether to go on. @throws Error when nobody can be asked */
export type Ask = (question: string) => Promise<boolean>;

const isRun = (value: unknown): boolean => {
  const { plan, facts, done } = (value ?? {}) as Partial<Run<unknown, unknown>>;
  return plan !== undefined && typeof facts === "object" && Array.isArray(done);
};

/** The run under way; null when there is none. @throws Error when its file is damaged */
export function readRun<Plan, Facts>(file: string): Run<Plan, Facts> | null {
  if (!existsSync(file)) return null;
  try {
    const run: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isRun(run)) return run as Run<Plan, Facts>;
  } catch {
    // Said below, in the same words.
  }
  throw new Error(
    `${file} is damaged, so nothing says how far the run before this one has come. Give that run up with --forget, then begin again.`,
  );
}

export function writeRun<Plan, Facts>(file: string, run: Run<Plan, Facts>): void {
  mkdirSync(dirname(file), { recursive: true });
  // Whole or not at all: a run that is killed here goes on from what it had written before.
  const partial = `${file}.partial`;
  writeFileSync(partial, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

/**
 * Carries out what is left of a run, each step after a yes.
 * @returns whether all of it is done; then its file is gone
 * @throws what a step throws; the run goes on with that step the next time
 */
export async function goOn<Plan, Facts>(
  file: string,
  run: Run<Plan, Facts>,
  steps: readonly Step<Plan, Facts>[],
  ask: Ask,
): Promise<boolean> {
  const left = steps.filter(({ name }) => !run.done.includes(name));
  for (const step of left) {
    const place = `Step ${steps.indexOf(step) + 1} of ${steps.length}`;
    if (!(await ask(`${place}: ${step.title(run)}`))) {
      console.log("Stopped here. The same command without any of its options goes on with this step.");
      return false;
    }
    const started = Date.now();
    await step.work(run, () => writeRun(file, run));
    run.done.push(step.name);
    writeRun(file, run);
    console.log(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  rmSync(file, { force: true });
  return true;
}
