/** A restore that is begun, gone on with or given up: what `npm run restore:production` does once it is told what. */
import { rmSync } from "node:fs";

import type { Arguments } from "../command.ts";
import { stateDirOf, type Target } from "./d1.ts";
import { type Ask, goOn, readRun, type Run, writeRun } from "./guided.ts";
import { planOf, type RestorePlan } from "./restore-plan.ts";
import { type RestoreFacts, restoreSteps } from "./restore-steps.ts";

/** What the command takes besides where it works. */
export const RESTORE_OPTIONS = {
  to: "text",
  bookmark: "text",
  from: "text",
  since: "text",
  forget: "flag",
} as const;

/** Where a run that is under way is kept. */
export function restoreFile(target: Target): string {
  return `${stateDirOf(target)}.restore-${target.isRemote ? "production" : "local"}.json`;
}

/** The run to go on with. @throws Error when there is none, or another one is under way */
function runOf(file: string, plan: RestorePlan | null): Run<RestorePlan, RestoreFacts> {
  const underWay = readRun<RestorePlan, RestoreFacts>(file);
  if (underWay && plan && (plan.kind !== underWay.plan.kind || plan.to !== underWay.plan.to))
    throw new Error(
      `A restore to ${underWay.plan.to}, begun ${underWay.began}, is under way. Go on with it by the same command without options, or give it up with --forget.`,
    );
  if (underWay) {
    console.log(
      `Going on with the restore to ${underWay.plan.to}, begun ${underWay.began}. Done: ${underWay.done.join(", ") || "nothing yet"}.`,
    );
    return underWay;
  }
  if (!plan)
    throw new Error("No restore is under way. Say to what: --to=2026-11-21T03:00:00Z, or --from=backups/….");
  const facts = { since: plan.since, pausedBefore: null, isPaused: false, bookmark: null, undo: null };
  return { began: new Date().toISOString(), plan, facts, done: [] };
}

/** What a damaged file leaves open. */
const DAMAGED =
  "The restore is given up. Its file was damaged: see which regions are paused (npm run region -- list), and open them (npm run region -- resume --all) once npm run reconcile finds no difference.";

/** Gives up a restore that is under way, and says what it has left behind. */
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
  if (!run) return console.log("No restore is under way.");
  console.log(`The restore to ${run.plan.to} is given up after: ${run.done.join(", ") || "nothing"}.`);
  if (run.facts.isPaused) console.log("The regions are paused still: npm run region -- resume --all");
  if (run.facts.undo) console.log(`D1 as it was before is at bookmark ${run.facts.undo}.`);
}

/** Begins a restore or goes on with one. @returns whether the market is open again */
export async function restoreProduction(target: Target, args: Arguments, ask: Ask): Promise<boolean> {
  const file = restoreFile(target);
  const run = runOf(file, planOf(args, target.isRemote));
  writeRun(file, run);
  const isDone = await goOn(file, run, restoreSteps(target, run.plan, ask), ask);
  if (isDone)
    console.log(
      "\nThe market trades again. Refunds since then: npm run reconcile. Erasures since then: npm run erase again. Who was deactivated or lost a right since has it back.",
    );
  return isDone;
}
