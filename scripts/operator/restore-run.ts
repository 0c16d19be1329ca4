/** Starts, resumes or abandons a restore for `npm run operate -- restore-production`. */
import { rmSync } from "node:fs";

import type { Arguments } from "../command.ts";
import { stateDirOf, type Target } from "./d1.ts";
import { type Ask, runRemainingSteps, readRun, type Run, writeRun } from "./resumable-steps.ts";
import { planOf, type RestorePlan } from "./restore-plan.ts";
import { type RestoreFacts, restoreSteps } from "./restore-steps.ts";

/** Returns the path of the file that stores an unfinished restore. */
export function restoreFile(target: Target): string {
  return `${stateDirOf(target)}.restore-${target.isRemote ? "production" : "local"}.json`;
}

/** Returns the run to resume. @throws Error if there is none, or a different one is unfinished */
function runOf(file: string, plan: RestorePlan | null): Run<RestorePlan, RestoreFacts> {
  const underWay = readRun<RestorePlan, RestoreFacts>(file);
  if (underWay && plan && (plan.kind !== underWay.plan.kind || plan.to !== underWay.plan.to))
    throw new Error(
      `A restore to ${underWay.plan.to}, begun ${underWay.began}, is unfinished. Resume it with the same command without options, or abandon it with --forget.`,
    );
  if (underWay) {
    console.log(
      `Resuming the restore to ${underWay.plan.to}, begun ${underWay.began}. Done: ${underWay.done.join(", ") || "nothing yet"}.`,
    );
    return underWay;
  }
  if (!plan)
    throw new Error(
      "There is no unfinished restore. Give its target: --to=2026-11-21T03:00:00Z, or --from=backups/….",
    );
  const facts = { since: plan.since, pausedBefore: null, isPaused: false, bookmark: null, undo: null };
  return { began: new Date().toISOString(), plan, facts, done: [] };
}

/** What to check if the file is damaged. */
const DAMAGED =
  "The restore is abandoned. Its file was damaged: check which regions are paused (npm run operate -- region list), and resume them (npm run operate -- region resume --all) once npm run operate -- reconcile finds no difference.";

/** Abandons an unfinished restore and reports the state it leaves behind. */
export function forgetRestore(target: Target): void {
  const file = restoreFile(target);
  let run: Run<RestorePlan, RestoreFacts> | null;
  try {
    run = readRun(file);
  } catch {
    rmSync(file);
    return console.log(DAMAGED);
  }
  rmSync(file, { force: true });
  if (!run) return console.log("There is no unfinished restore.");
  console.log(`The restore to ${run.plan.to} is abandoned after: ${run.done.join(", ") || "nothing"}.`);
  if (run.facts.isPaused) console.log("The regions are still paused: npm run operate -- region resume --all");
  if (run.facts.undo)
    console.log(`To return to D1's state before the restore, use bookmark ${run.facts.undo}.`);
}

/** Starts or resumes a restore. @returns whether the market is open again */
export async function restoreProduction(target: Target, args: Arguments, ask: Ask): Promise<boolean> {
  const file = restoreFile(target);
  const run = runOf(file, planOf(args, target.isRemote));
  writeRun(file, run);
  const isDone = await runRemainingSteps(file, run, restoreSteps(target, run.plan, ask), ask);
  if (isDone)
    console.log(
      "\nThe market trades again. Refunds since then: npm run operate -- reconcile. Erasures since then: npm run operate -- erase again. Users who were deactivated or lost a right since then have it back.",
    );
  return isDone;
}
