/**
 * `npm run reconcile [-- --since=2026-11-01T00:00:00Z] [--remote]`: reconciles Stripe, the ledger, purchases and
 * exchanges, as the nightly run does, and counts the differences. The admins' list shows each with what to do. Without
 * `--since` it covers the same period as the nightly run.
 */
import { RECONCILED_MS } from "../../worker/operations/reconciliation/rules.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";
import { momentOf } from "./restore-plan.ts";

await operate({ name: "reconcile", options: { since: "text" } }, true, async (target, args) => {
  const text = args.option("since");
  const since = text === null ? Date.now() - RECONCILED_MS : momentOf("since", text);
  await runJob(target, { kind: "reconcile", input: { since } });
});
