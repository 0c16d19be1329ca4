/** The steps that restore the market to an earlier D1 state. Each step can be repeated. */
import { setTimeout as wait } from "node:timers/promises";

import { MINUTE_MS } from "../../contract/durations.ts";
import { REGION_SLUGS } from "../../contract/regions.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import { wrangler } from "../wrangler.ts";
import { readBackup } from "./backup-file.ts";
import { missingOf, replaceLocal, restore } from "./backup-d1.ts";
import { query, quote, type Target, targetFlags } from "./d1.ts";
import type { Ask, Run, Step } from "./resumable-steps.ts";
import { runJob, runJobs } from "./job.ts";
import type { RestorePlan } from "./restore-plan.ts";

/** `since` (epoch ms): where rereading the exchanges starts. `undo`: the bookmark that reverts the restore. */
export type RestoreFacts = {
  since: number;
  pausedBefore: string[] | null;
  isPaused: boolean;
  bookmark: string | null;
  undo: string | null;
};

type RestoreRun = Run<RestorePlan, RestoreFacts>;
type RestoreStep = Step<RestorePlan, RestoreFacts>;

/** Holds expire within five minutes. Stripe's webhook settles any payment that is still open. */
const MAX_PAYMENT_MS = 6 * MINUTE_MS;

const REASON = "D1 is being restored";

async function pauseAll(target: Target): Promise<void> {
  const counts = await runJobs(
    target,
    REGION_SLUGS.map((region) => ({ kind: "pause_region", input: { region, reason: REASON } })),
  );
  if (counts.overtaken)
    throw new Error("Not every region is paused: another operator is pausing and resuming regions.");
}

async function waitForPayments(target: Target): Promise<void> {
  const countPaying = async () =>
    Number((await query(target, "SELECT count(*) AS n FROM payments WHERE slot IS NOT NULL"))[0]!.n);
  const until = Date.now() + MAX_PAYMENT_MS;
  let left = await countPaying();
  if (left > 0) console.log(`  ${left} payments are in progress: waiting for them, at most six minutes.`);
  while (left > 0 && Date.now() < until) {
    await wait(target.isRemote ? 15_000 : 1_000);
    left = await countPaying();
  }
}

/** Returns the regions that were paused for another reason. They stay paused at the end. */
async function pausedByOthers(target: Target): Promise<string[]> {
  const rows = await query(target, "SELECT region, reason FROM paused_regions");
  return rows.filter(({ reason }) => reason !== REASON).map(({ region }) => String(region));
}

function pauseStep(target: Target, ask: Ask): RestoreStep {
  return {
    name: "pause",
    title: () => "pause every region, and wait until no provider is paying.",
    async work({ facts }, saveFacts) {
      try {
        facts.pausedBefore ??= await pausedByOthers(target);
        saveFacts();
        await pauseAll(target);
        facts.isPaused = true;
        await waitForPayments(target);
      } catch (error) {
        console.log(
          `  D1 does not accept the pause: ${error instanceof Error ? error.message : String(error)}`,
        );
        if (!(await ask("Continue anyway? The regions are then paused as soon as D1 is up.")))
          throw new Error("Nothing was restored.", { cause: error });
      }
    },
  };
}

/** Prints what D1 is about to lose, from the audit log. An operator must redo some of it by hand. */
async function printLosses(target: Target, since: number): Promise<void> {
  const rows = await query(
    target,
    `SELECT action, count(*) AS n FROM audit_log WHERE at >= ${since} GROUP BY action ORDER BY action`,
  ).catch(() => null);
  if (!rows)
    return console.log("  The audit log cannot be read, so there is no list of what the restore undoes.");
  console.log(
    "  D1 has logged since a day before that time (sales are recovered, other changes may need redoing):",
  );
  for (const { action, n } of rows) console.log(`    ${action}: ${n}`);
}

/** Runs `wrangler d1 time-travel` and parses the JSON in its output. */
async function timeTravel(target: Target, ...args: string[]): Promise<Record<string, unknown>> {
  const flags = ["--config", target.config, "--json"];
  const output = await wrangler(["d1", "time-travel", ...args, ...flags], true);
  return JSON.parse(output.slice(output.indexOf("{"))) as Record<string, unknown>;
}

async function restoreD1(target: Target, { plan, facts }: RestoreRun, saveFacts: () => void): Promise<void> {
  // Look it up once: after the restore the same options would return another bookmark, and undo would be
  // lost.
  facts.undo ??= String((await timeTravel(target, "info", "DB")).bookmark);
  facts.bookmark ??=
    plan.kind === "bookmark"
      ? plan.to
      : String((await timeTravel(target, "info", "DB", `--timestamp=${plan.to}`)).bookmark);
  saveFacts();
  console.log(`  To undo the restore, restore bookmark ${facts.undo}.`);
  await timeTravel(target, "restore", "DB", `--bookmark=${facts.bookmark}`);
}

async function takeFile(target: Target, file: string): Promise<void> {
  const put = target.isRemote ? restore : replaceLocal;
  const differing = await put(target, file).catch(async (error: unknown) => {
    // An earlier run was interrupted after it had filled the database.
    const missing = target.isRemote
      ? await missingOf(target, readBackup(file)).catch(() => ["all"])
      : ["all"];
    if (missing.length > 0) throw error;
    return missing;
  });
  if (differing.length > 0) throw new Error(`Restored, but not all of it:\n  ${differing.join("\n  ")}`);
}

function restoreStep(target: Target): RestoreStep {
  return {
    name: "restore",
    title: ({ plan: { kind, to } }) =>
      kind === "file"
        ? `restore ${to} into ${target.isRemote ? "the new, empty" : "this machine's"} database.`
        : `restore D1 to ${kind} ${to}. Everything written since then is lost.`,
    async work(run, saveFacts) {
      await printLosses(target, run.plan.since);
      if (run.plan.kind === "file") await takeFile(target, run.plan.to);
      else await restoreD1(target, run, saveFacts);
    },
  };
}

/**
 * Returns statements that remove what a restored D1 must not bring back. That is sessions and links that have
 * since been revoked, and jobs that have since been cancelled or done. Erasures run again.
 */
function revokeLostRights(now: number): string[] {
  return [
    "DELETE FROM sessions",
    `UPDATE password_links SET expires_at = min(expires_at, ${now})`,
    "DELETE FROM request_list_links",
    `UPDATE email_links SET expires_at = min(expires_at, ${now})`,
    `UPDATE operator_jobs SET state = 'failed', input = NULL WHERE state = 'waiting' AND kind <> ${quote("erase_person")}`,
  ];
}

function prepareStep(target: Target, ask: Ask): RestoreStep {
  return {
    name: "prepare",
    title: () =>
      "migrate the restored tables and sign all users out, since a session that has ended would be restored.",
    async work({ plan, facts }) {
      await wrangler(["d1", "migrations", "apply", "DB", ...targetFlags(target)], target.isRemote);
      await query(target, ...revokeLostRights(Date.now()));
      if (target.isRemote && plan.kind === "file" && !(await ask(DEPLOY)))
        throw new Error(
          "The product does not use the restored database yet: deploy, then continue with this step.",
        );
      if (!facts.isPaused) await pauseAll(target);
      facts.isPaused = true;
    },
  };
}

const DEPLOY =
  "Now run `npm run deploy` in another window, so that the product uses this database. Is that done?";

async function reproject(target: Target, since: number): Promise<void> {
  await runJob(target, { kind: "reproject", input: { since } });
}

function compareStep(target: Target): RestoreStep {
  const differences = async (since: number) =>
    (await runJob(target, { kind: "compare_market", input: { since } })).differences ?? 0;
  return {
    name: "compare",
    title: () => "compare D1 with the exchanges: each decision field by field, and every lead on offer.",
    async work({ facts }, saveFacts) {
      if ((await differences(facts.since)) === 0) return;
      console.log("  They differ: writing all decisions of the exchanges to D1 again.");
      facts.since = 0;
      saveFacts();
      await reproject(target, 0);
      const left = await differences(0);
      if (left > 0)
        throw new Error(
          `D1 and the exchanges still differ (${left}), so the market stays closed. Check each lead listed above, and resolve the items under *What needs attention* in the admin pages. Then run the command again without options to compare again.`,
        );
    },
  };
}

/** Returns the regions to open at the end: all except those paused for another reason. */
const regionsToOpen = ({ facts }: RestoreRun) =>
  REGION_SLUGS.filter((region) => !(facts.pausedBefore ?? []).includes(region));

function resumeStep(target: Target): RestoreStep {
  return {
    name: "resume",
    title: (run) => {
      const pausedRegions = run.facts.pausedBefore ?? [];
      const others =
        pausedRegions.length > 0 ? ` (${pausedRegions.join(", ")} were already paused and stay paused)` : "";
      return `resume ${regionsToOpen(run).length} regions${others}.`;
    },
    async work(run) {
      const regions = regionsToOpen(run);
      const counts = await runJobs(
        target,
        regions.map((region) => ({ kind: "resume_region", input: { region } })),
      );
      if (counts.overtaken)
        throw new Error(
          "Not every region is open: another operator has since paused one. See npm run operate -- region list.",
        );
    },
  };
}

/** Returns every step in order. If the database is lost, it is restored first, since a pause needs D1. */
export function restoreSteps(target: Target, plan: RestorePlan, ask: Ask): RestoreStep[] {
  const isNewDatabase = target.isRemote && plan.kind === "file";
  return [
    ...(isNewDatabase ? [] : [pauseStep(target, ask)]),
    restoreStep(target),
    prepareStep(target, ask),
    {
      name: "reproject",
      title: () => "write the exchanges' later decisions to D1.",
      work: ({ facts }) => reproject(target, facts.since),
    },
    {
      name: "figures",
      title: () => "recount the market's figures from that day on.",
      async work({ plan: { since } }) {
        await runJob(target, { kind: "recount_figures", input: { since: sydneyDay(since) } });
      },
    },
    compareStep(target),
    resumeStep(target),
  ];
}
