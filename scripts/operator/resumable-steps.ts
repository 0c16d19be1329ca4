/**
 * Runs a command that has several steps. It asks before each step and records finished steps in a file. If
 * the window closes or a step fails, the next run resumes there.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The stored state of a run. `facts` is data that later steps need. */
export type Run<Plan, Facts> = { began: string; plan: Plan; facts: Facts; done: string[] };

export type Step<Plan, Facts> = {
  name: string;
  /** The step's title, as in "Next: take every region off the market". */
  title: (run: Run<Plan, Facts>) => string;
  /**
   * @param keep saves the facts before the step ends
   * @throws Error if the step must run again
   */
  work: (run: Run<Plan, Facts>, keep: () => void) => Promise<void>;
};

/** Asks whether to continue. @throws Error if there is no terminal */
export type Ask = (question: string) => Promise<boolean>;

const isRun = (value: unknown): boolean => {
  const { plan, facts, done } = (value ?? {}) as Partial<Run<unknown, unknown>>;
  return plan !== undefined && typeof facts === "object" && Array.isArray(done);
};

/** Returns the unfinished run; null if there is none. @throws Error if its file is damaged */
export function readRun<Plan, Facts>(file: string): Run<Plan, Facts> | null {
  if (!existsSync(file)) return null;
  try {
    const run: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isRun(run)) return run as Run<Plan, Facts>;
  } catch {
    // Fall through to the same error below.
  }
  throw new Error(
    `${file} is damaged, so the progress of the previous run is unknown. Abandon it with --forget, then start again.`,
  );
}

export function writeRun<Plan, Facts>(file: string, run: Run<Plan, Facts>): void {
  mkdirSync(dirname(file), { recursive: true });
  // Write atomically: after a crash here, the next run resumes from the previous state.
  const partial = `${file}.partial`;
  writeFileSync(partial, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

/**
 * Runs the remaining steps, each after a confirmation.
 *
 * @returns whether all steps are done; then the run's file is deleted
 * @throws the step's error; the next run resumes at that step
 */
export async function runRemainingSteps<Plan, Facts>(
  file: string,
  run: Run<Plan, Facts>,
  steps: readonly Step<Plan, Facts>[],
  ask: Ask,
): Promise<boolean> {
  const left = steps.filter(({ name }) => !run.done.includes(name));
  for (const step of left) {
    const place = `Step ${steps.indexOf(step) + 1} of ${steps.length}`;
    if (!(await ask(`${place}: ${step.title(run)}`))) {
      console.log("Stopped here. Run the same command without options to continue with this step.");
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
