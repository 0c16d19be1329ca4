/**
 * Runs a command of several steps. It asks before each and records the finished ones in a file. After a closed window
 * or a failed step it resumes there instead of starting again.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The stored state of a run. `facts` holds what its steps must remember. */
export type Run<Plan, Facts> = { began: string; plan: Plan; facts: Facts; done: string[] };

export type Step<Plan, Facts> = {
  name: string;
  /** The step's title, as in "Next: take every region off the market". */
  title: (run: Run<Plan, Facts>) => string;
  /** @param keep saves the facts before the step ends @throws Error when the step must be repeated */
  work: (run: Run<Plan, Facts>, keep: () => void) => Promise<void>;
};

/** Asks whether to continue. @throws Error when there is no terminal to ask in */
export type Ask = (question: string) => Promise<boolean>;

const isRun = (value: unknown): boolean => {
  const { plan, facts, done } = (value ?? {}) as Partial<Run<unknown, unknown>>;
  return plan !== undefined && typeof facts === "object" && Array.isArray(done);
};

/** Returns the unfinished run; null when there is none. @throws Error when its file is damaged */
export function readRun<Plan, Facts>(file: string): Run<Plan, Facts> | null {
  if (!existsSync(file)) return null;
  try {
    const run: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isRun(run)) return run as Run<Plan, Facts>;
  } catch {
    // Falls through to the same error below.
  }
  throw new Error(
    `${file} is damaged, so nothing says how far the run before this one has come. Give that run up with --forget, then begin again.`,
  );
}

export function writeRun<Plan, Facts>(file: string, run: Run<Plan, Facts>): void {
  mkdirSync(dirname(file), { recursive: true });
  // Write atomically: a run that is killed here resumes from its previous state.
  const partial = `${file}.partial`;
  writeFileSync(partial, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

/**
 * Runs the remaining steps of a run, each after a confirmation.
 *
 * @returns whether all steps are done; then the run's file is removed
 * @throws what a step throws; the run resumes with that step the next time
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
