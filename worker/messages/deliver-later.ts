import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { deliver, sweepMessages } from "./deliver-commands.ts";
import { canSend } from "./due-queries.ts";
import { handOver, handOverDue } from "./queue-commands.ts";

/**
 * Has what is due sent without waiting for the minute's sweep, after the answer: by the queue, or here where it takes
 * nothing. Whatever fails, the sweep makes up for it.
 * @param ids only these; null for whatever is due
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

/** The same, after the answer to a request. */
export function deliverLater(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  ids: readonly string[] | null,
): void {
  ctx.waitUntil(deliverNow(env, ids));
}
