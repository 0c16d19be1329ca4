/**
 * `npm run reconcile [-- --since=2026-11-01T00:00:00Z] [--remote]`: holds Stripe, the ledger, purchases and
 * exchanges against each other, as every night, and counts the differences. Each stands in the admins'
 * list with what to do. Without `--since` it looks back as far as the nightly run.
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
