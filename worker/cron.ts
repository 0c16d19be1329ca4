import type { Env } from "./env.ts";
import { sweepPending } from "./leads/commands.ts";

/** Runs every minute: mends what a crash or an outage left behind. */
export async function runSweeps(env: Env, now: number): Promise<void> {
  const { listed, failed } = await sweepPending(env, now);
  if (listed + failed > 0) {
    console.log(JSON.stringify({ level: failed ? "warn" : "info", event: "sweep", listed, failed }));
  }
}
