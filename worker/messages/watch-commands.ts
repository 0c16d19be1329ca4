/** Tells the admins of messages that do not go out. */
import { raiseAttention } from "../attention/commands.ts";
import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { lookAtChannels } from "./watch-queries.ts";
import { troubleOf } from "./watch-rules.ts";

/**
 * Looks at each channel every minute, and raises one that is stuck or fails.
 * @returns how many are in trouble
 * @throws D1's errors
 */
export async function watchMessages(env: Env, now: number): Promise<{ failed: number }> {
  const db = database(env.DB);
  let failed = 0;
  for (const pulse of await lookAtChannels(env, now)) {
    const trouble = troubleOf(pulse, now);
    if (trouble === null) continue;
    failed += 1;
    await raiseAttention(db, "messages_stuck", pulse.channel, trouble, now);
  }
  return { failed };
}
