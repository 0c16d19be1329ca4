/**
 * `npm run exchange:reproject -- --since=2026-11-01T00:00:00Z [--remote]`: projects the exchanges' decisions into D1
 * again, from a day before that moment: purchases, card payments, leads that left the market, erasures. Run it after a
 * restore. Safe to repeat.
 */
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";
import { momentOf, sinceOf } from "./restore-plan.ts";

await operate({ name: "exchange:reproject", options: { since: "text" } }, true, async (target, args) => {
  const since = args.option("since");
  if (since === null)
    throw new Error("Name the moment D1 was restored to: --since=2026-11-01T00:00:00Z (or with +11:00).");
  await runJob(target, { kind: "reproject", input: { since: sinceOf(momentOf("since", since)) } });
});
