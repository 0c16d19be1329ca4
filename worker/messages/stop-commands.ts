/** Who wants no more text messages, and what became of those that were sent. */
import { createHash } from "node:crypto";

import { and, eq, gt, inArray } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { messages, textStops } from "../db/schema.ts";
import type { GatewayWord } from "./sms-gateway.ts";

/**
 * A number as it is kept of somebody who wants no more texts: so that the list is no list of numbers to whoever reads
 * it. Trying all numbers finds it out; it is kept after an erasure too, for it is their own wish.
 */
export const numberHash = (number: string) =>
  createHash("sha256").update(`text:${number}`).digest("base64url");

/** Does what the gateway's word asks for. Repeated it changes nothing. */
export async function takeWord(db: Db, word: GatewayWord, now: number): Promise<void> {
  if (word.kind === "report")
    await db
      .update(messages)
      .set({ state: word.state })
      .where(
        and(
          eq(messages.id, word.ref),
          eq(messages.channel, "sms"),
          // A report is as good as the gateway's own answer, which may be late, lost or beyond us.
          inArray(messages.state, ["waiting", "sent", "failed"]),
          gt(messages.attempts, 0),
        ),
      );
  if (word.kind === "stop")
    await db.batch([
      db
        .insert(textStops)
        .values({ numberHash: numberHash(word.from), since: now })
        .onConflictDoNothing(),
      db
        .update(messages)
        .set({ state: "dropped" })
        .where(
          and(eq(messages.recipient, word.from), eq(messages.channel, "sms"), eq(messages.state, "waiting")),
        ),
    ]);
}
