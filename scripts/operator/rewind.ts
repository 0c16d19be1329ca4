/**
 * `npm run exchange:rewind -- --region=inner-west --to=2026-11-21T03:00:00Z --remote` (or `--bookmark=…`): restores one
 * exchange's storage to an earlier moment of the last 30 days, and reconciles it with D1. It opens the region again
 * once both agree. Works at Cloudflare only: this machine keeps no history.
 */
import { DAY_MS } from "../../contract/durations.ts";
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import type { Arguments } from "../command.ts";
import { operate, query, quote } from "./d1.ts";
import { runJob } from "./job.ts";
import { momentOf, sinceOf } from "./restore-plan.ts";

const OPTIONS = { region: "text", to: "text", bookmark: "text" } as const;

/** Cloudflare's retention. */
const KEPT_MS = 30 * DAY_MS;

/** Returns the target, as epoch ms or a bookmark. @throws Error in one sentence */
function targetMoment(args: Arguments): number | string {
  const [to, bookmark] = [args.option("to"), args.option("bookmark")];
  if ((to === null) === (bookmark === null)) throw new Error("Say one of --to=… and --bookmark=….");
  if (to === null) return bookmark!;
  const moment = momentOf("to", to);
  if (moment < Date.now() - KEPT_MS)
    throw new Error(`--to=${to} is more than 30 days ago: no history goes back so far.`);
  return moment;
}

await operate({ name: "exchange:rewind", options: OPTIONS }, true, async (target, args) => {
  const region = args.option("region") ?? "";
  if (!isRegion(region)) throw new Error(`Name one of: --region=${REGION_SLUGS.join(", ")}`);
  const to = targetMoment(args);
  const paused = await query(target, `SELECT reason FROM paused_regions WHERE region = ${quote(region)}`);
  try {
    await runJob(target, { kind: "rewind_exchange", input: { region, to } });
  } catch (error) {
    if (target.isRemote) throw error;
    throw new Error("Nothing was changed: objects keep their history at Cloudflare only.", { cause: error });
  }
  const [line] = await query(
    target,
    `SELECT "after" FROM audit_log WHERE action = 'region.rewind' AND subject_id = ${quote(region)} ORDER BY id DESC LIMIT 1`,
  );
  const { undo } = JSON.parse(String(line!.after)) as { undo: string };
  console.log(`To undo it: npm run exchange:rewind -- --region=${region} --bookmark=${undo} --remote`);
  const since = typeof to === "number" ? sinceOf(to) : 0;
  const { differences } = await runJob(target, { kind: "compare_market", input: { since } });
  if (differences)
    throw new Error(
      `${region} stays off the market: D1 and its exchange differ (${differences}, named above). Open it by hand when you have looked: npm run region -- resume ${region}`,
    );
  if (paused.length > 0) return console.log(`${region} was paused before and stays so: ${paused[0]!.reason}`);
  await runJob(target, { kind: "resume_region", input: { region } });
});
