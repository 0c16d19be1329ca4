import { type Env, settings } from "../env.ts";
import { log } from "../log.ts";
import { canSendEmail } from "../notify/email.ts";
import { deliver, sweepMessages } from "./deliver-commands.ts";

/**
 * Sends what is due without waiting for the minute's sweep, after the answer. Whatever fails, the sweep makes up for it.
 * @param ids only these; null for whatever is due
 */
export async function deliverNow(env: Env, ids: readonly string[] | null): Promise<void> {
  if (!settings(env).push && !canSendEmail(env)) return;
  try {
    await (ids ? deliver(env, ids, Date.now()) : sweepMessages(env, Date.now()));
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
