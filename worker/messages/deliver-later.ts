import type { Env } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { deliver, sweepMessages } from "./deliver-commands.ts";
import { canSend } from "./due-queries.ts";
import { handOver, handOverDue } from "./queue-commands.ts";

/**
 * Sends due messages without waiting for the minute's sweep. Uses the queue, or sends them here if the queue takes
 * nothing. After any failure the sweep sends them.
 * @param ids only these messages; null for all that are due
 */
export async function deliverNow(env: Env, ids: readonly string[] | null): Promise<void> {
  if (!canSend(env)) return;
  try {
    const now = Date.now();
    if (ids ? await handOver(env, ids) : await handOverDue(env, now)) return;
    await (ids ? deliver(env, ids, now) : sweepMessages(env, now));
  } catch (error) {
    log("warn", "messages_delayed", { error });
  }
}

/** Calls `deliverNow` after the response to a request. */
export function deliverLater(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  ids: readonly string[] | null,
): void {
  ctx.waitUntil(deliverNow(env, ids));
}
