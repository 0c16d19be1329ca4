/**
 * `npm run exchange:reproject -- --since=2026-11-01T00:00:00Z [--remote]`: writes into D1 what the
 * exchanges have decided since then, and in the day before: purchases, card payments, what left the market,
 * erasures. For after a restore. Harmless when repeated.
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
