/** Commands for the market: regions and reconciliation. */
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import { RECONCILED_MS } from "../../worker/operations/reconciliation/rules.ts";
import type { Arguments } from "../command.ts";
import type { OperatorCommands } from "./command-types.ts";
import { query, type Target } from "./d1.ts";
import { runJob, runJobs } from "./job.ts";

const changesData = ({ positionalArgs: [action] }: Arguments) => action !== "list";

async function list(target: Target): Promise<void> {
  const rows = await query(target, "SELECT region, reason, since FROM paused_regions ORDER BY since");
  if (rows.length === 0) console.log("No region is paused.");
  for (const { region, reason, since } of rows)
    console.log(`${region} since ${new Date(Number(since)).toISOString()}: ${reason}`);
}

/** Parses a time (epoch ms). @throws Error in one sentence if it is invalid or in the future */
function parseMoment(option: string, text: string, now = Date.now()): number {
  const at = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new Error(`--${option}=${text} is not a time: use 2026-11-01T00:00:00Z, or with +11:00.`);
  if (at > now) throw new Error(`--${option}=${text} is in the future.`);
  return at;
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
      const reason = args.option("reason");
      if (action === "pause" && !reason) throw new Error('Give a reason for later: --reason="…"');
      const pause = action === "pause" ? reason : null;
      const regions = isRegion(region) ? [region] : REGION_SLUGS;
      await runJobs(
        target,
        regions.map((one) => ({ kind: "region", input: { region: one, pause } })),
      );
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
