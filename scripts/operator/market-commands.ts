/** Commands for the market: regions, exchanges, payments and leads. */
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import { leadIdSchema } from "../../contract/leads.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { RECONCILED_MS } from "../../worker/operations/reconciliation/rules.ts";
import type { Arguments } from "../command.ts";
import { query, quote, type Target } from "./d1.ts";
import { runJob, runJobs } from "./job.ts";
import { parseMoment, sinceOf } from "./restore-plan.ts";
import type { OperatorCommands } from "./command-types.ts";

const changesData = ({ positionalArgs: [action] }: Arguments) => action !== "list";

async function list(target: Target): Promise<void> {
  const rows = await query(target, "SELECT region, reason, since FROM paused_regions ORDER BY since");
  if (rows.length === 0) console.log("No region is paused.");
  for (const { region, reason, since } of rows)
    console.log(`${region} since ${new Date(Number(since)).toISOString()}: ${reason}`);
}

/** Cloudflare's log retention. */
const HISTORY_MS = 30 * DAY_MS;

/** Returns the moment to restore, as epoch ms or a bookmark. @throws Error in one sentence */
function targetMoment(args: Arguments): number | string {
  const [to, bookmark] = [args.option("to"), args.option("bookmark")];
  if ((to === null) === (bookmark === null)) throw new Error("Use either --to=… or --bookmark=….");
  if (to === null) return bookmark!;
  const moment = parseMoment("to", to);
  if (moment < Date.now() - HISTORY_MS)
    throw new Error(`--to=${to} is more than 30 days ago, beyond the history.`);
  return moment;
}

export const MARKET = {
  region: {
    summary: "Pauses or resumes a region's market, or lists the paused regions",
    more: "While a region is paused, requests wait and a buyer who is already paying may finish.",
    options: {
      reason: ["text", "why it is paused"],
      all: ["flag", "every region"],
    },
    positionalArgs: ["list|pause|resume", "region?"],
    changes: changesData,
    work: async (target, args) => {
      const [action, region = ""] = args.positionalArgs;
      if (action === "list") return list(target);
      if (action !== "pause" && action !== "resume") throw new Error("Use list, pause or resume.");
      if (args.hasFlag("all") === isRegion(region))
        throw new Error(`Use --all or one of: ${REGION_SLUGS.join(", ")}`);
      const regions = isRegion(region) ? [region] : REGION_SLUGS;
      if (action === "resume")
        return runJobs(
          target,
          regions.map((region) => ({ kind: "resume_region", input: { region } })),
        );
      const reason = args.option("reason");
      if (!reason) throw new Error('Give a reason for later: --reason="…"');
      await runJobs(
        target,
        regions.map((region) => ({ kind: "pause_region", input: { region, reason } })),
      );
    },
  },
  release: {
    summary: "Releases a held lead if its payment does not end by itself",
    more: "Check the payment in Stripe's dashboard first.",
    options: {
      lead: ["text", "the lead's id"],
    },
    changes: true,
    work: async (target, args) => {
      const lead = leadIdSchema.safeParse(args.option("lead"));
      if (!lead.success) throw new Error("Give the lead: --lead=lead_…");
      await runJob(target, { kind: "release_lead", input: { leadId: lead.data } });
    },
  },
  relist: {
    summary: "Relists leads that D1 offers but their exchange has lost",
    more: "Never relists sold leads. Safe to repeat. The sweep does the same each minute for an exchange it finds empty.",
    options: {
      region: ["text", "one region"],
      all: ["flag", "every region"],
    },
    changes: true,
    work: async (target, args) => {
      const region = args.option("region");
      if (args.hasFlag("all") === (region !== null)) throw new Error("Use either --region=… or --all.");
      if (region !== null && !isRegion(region)) throw new Error(`Name one of: ${REGION_SLUGS.join(", ")}`);
      await runJob(target, { kind: "relist", input: { region } });
    },
  },
  reproject: {
    summary: "Writes the exchanges' decisions to D1 again, after a restore",
    more: "Restores purchases, card payments, leads that left the market, and erasures, from a day before --since. Safe to repeat.",
    options: {
      since: ["text", "the time D1 was restored to, such as 2026-11-01T00:00:00Z"],
    },
    changes: true,
    work: async (target, args) => {
      const since = args.option("since");
      if (since === null)
        throw new Error("Give the time D1 was restored to: --since=2026-11-01T00:00:00Z (or with +11:00).");
      await runJob(target, { kind: "reproject", input: { since: sinceOf(parseMoment("since", since)) } });
    },
  },
  rewind: {
    summary: "Restores one exchange's storage to a time in the last 30 days",
    more: "It reconciles the exchange with D1 and resumes the region once both agree. Only works on production: the local runtime has no history.",
    options: {
      region: ["text", "the region"],
      to: ["text", "the moment"],
      bookmark: ["text", "a Cloudflare bookmark, instead of --to"],
    },
    changes: true,
    work: async (target, args) => {
      const region = args.option("region") ?? "";
      if (!isRegion(region)) throw new Error(`Name one of: --region=${REGION_SLUGS.join(", ")}`);
      const to = targetMoment(args);
      const paused = await query(target, `SELECT reason FROM paused_regions WHERE region = ${quote(region)}`);
      try {
        await runJob(target, { kind: "rewind_exchange", input: { region, to } });
      } catch (error) {
        if (target.isRemote) throw error;
        throw new Error("Nothing was changed: only production has a history of objects.", {
          cause: error,
        });
      }
      const [line] = await query(
        target,
        `SELECT "after" FROM audit_log WHERE action = 'region.rewind' AND subject_id = ${quote(region)} ORDER BY id DESC LIMIT 1`,
      );
      const { undo } = JSON.parse(String(line!.after)) as { undo: string };
      console.log(`To undo it: npm run operate -- rewind --region=${region} --bookmark=${undo} --remote`);
      const since = typeof to === "number" ? sinceOf(to) : 0;
      const { differences } = await runJob(target, { kind: "compare_market", input: { since } });
      if (differences)
        throw new Error(
          `${region} stays off the market: D1 and its exchange differ (${differences}, listed above). Check them, then resume it: npm run operate -- region resume ${region}`,
        );
      if (paused.length > 0)
        return console.log(`${region} was already paused and stays paused: ${paused[0]!.reason}`);
      await runJob(target, { kind: "resume_region", input: { region } });
    },
  },
  reconcile: {
    summary: "Compares the exchanges, D1 and Stripe, and repairs the differences with --fix",
    more: "Without --fix it only prints each difference, and what --fix would do. The nightly run repairs.",
    options: {
      fix: ["flag", "repairs each difference"],
      region: ["text", "only this region's exchange and D1, without Stripe"],
      since: ["text", "the start time; by default 45 days ago, as in the nightly run"],
    },
    changes: (args) => args.hasFlag("fix"),
    work: async (target, args) => {
      const [text, region] = [args.option("since"), args.option("region")];
      if (region !== null && !isRegion(region)) throw new Error(`Name one of: ${REGION_SLUGS.join(", ")}`);
      const since = text === null ? Date.now() - RECONCILED_MS : parseMoment("since", text);
      await runJob(target, { kind: "reconcile", input: { since, isFix: args.hasFlag("fix"), region } });
    },
  },
} satisfies OperatorCommands;
