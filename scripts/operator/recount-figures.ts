/**
 * `npm run figures:recount -- [--since=2026-11-01] [--remote]`: counts the market's figures anew, day by day in
 * Sydney, from the first lead on or from a day. For after a restore, or when a rule of counting has changed.
 */
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "figures:recount", options: { since: "text" } }, true, async (target, args) => {
  const since = args.option("since");
  if (since !== null && startOfSydneyDay(since) === null)
    throw new Error("Name the first day to count: --since=2026-11-01, or leave it out for all of them.");
  await runJob(target, { kind: "recount_figures", input: { since } });
});
