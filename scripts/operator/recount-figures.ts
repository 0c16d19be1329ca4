/**
 * `npm run figures:recount -- [--since=2026-11-01] [--remote]`: counts the market's figures anew, day by day in
 * Sydney, from the first lead on or from a day. For after a restore, or when a rule of counting has changed.
 */
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "figures:recount", options: { since: "text" } }, true, async (target, args) => {
  const since = args.option("since");
  const start = since === null ? 0 : startOfSydneyDay(since);
  if (start === null)
    throw new Error("Name the first day to count: --since=2026-11-01, or leave it out for all of them.");
  if (start > Date.now()) throw new Error(`--since=${since} is still to come.`);
  await runJob(target, { kind: "recount_figures", input: { since } });
});
