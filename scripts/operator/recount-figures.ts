/**
 * `npm run figures:recount -- [--since=2026-11-01] [--remote]`: recomputes the market's figures for each day in Sydney,
 * from the first lead or from a given day. Run it after a restore, or after a change to how figures are counted.
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
