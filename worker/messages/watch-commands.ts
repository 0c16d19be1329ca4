/** Warns the admins of messages that do not go out, and of used-up daily limits. */
import { raiseAttention, raiseAttentionDaily } from "../outbox/attention-commands.ts";
import { database } from "../platform/db/client.ts";
import type { Env } from "../platform/env.ts";
import { limitInWords } from "./limit-rules.ts";
import { lookAtChannels } from "./watch-queries.ts";
import { troubleOf } from "./watch-rules.ts";

/**
 * Checks each channel every minute. Raises one that is stuck or fails, or has used up its daily limit.
 * @returns how many are in trouble; a used-up limit does not count
 * @throws D1's errors
 */
export async function watchMessages(env: Env, now: number): Promise<{ failed: number }> {
  const db = database(env.DB);
  let failed = 0;
  for (const pulse of await lookAtChannels(env, now)) {
    const { channel, limit } = pulse;
    if (limit) await raiseAttentionDaily(db, "message_limit", channel, limitInWords(limit), now);
    const trouble = troubleOf(pulse, now);
    if (trouble === null) continue;
    failed += 1;
    await raiseAttention(db, "messages_stuck", channel, trouble, now);
  }
  return { failed };
}
