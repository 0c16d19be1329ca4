import type { Env } from "./env.ts";
import { sweepPauses } from "./exchange/pause-commands.ts";
import { sweepPending } from "./leads/commands.ts";
import { sweepPayments } from "./payments/sweep-commands.ts";

/** Runs every minute: mends what a crash or an outage left behind. */
export async function runSweeps(env: Env, now: number): Promise<void> {
  const { listed, failed } = await sweepPending(env, now);
  if (listed + failed > 0) {
    console.log(JSON.stringify({ level: failed ? "warn" : "info", event: "sweep", listed, failed }));
  }
  await sweepPauses(env);
  const payments = await sweepPayments(env, now);
  if (payments.seen > 0) {
    const level = payments.failed ? "warn" : "info";
    console.log(JSON.stringify({ level, event: "payment_sweep", ...payments }));
  }
}
