/** Opt-outs from text messages, and delivery reports. */
import { createHash } from "node:crypto";

import { and, eq, gt, inArray } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { messages } from "../platform/db/schema.ts";
import { noteStop } from "./email-stop-commands.ts";
import type { GatewayWord } from "./sms-gateway.ts";

/**
 * Hashes the number of a recipient who opted out of texts, so that the list does not show numbers. Trying all numbers
 * would still find it. It is kept after an erasure, because the opt-out is the recipient's own wish.
 */
export const numberHash = (number: string) =>
  createHash("sha256").update(`text:${number}`).digest("base64url");

/** Applies a gateway event. Idempotent. */
export async function takeWord(db: Db, word: GatewayWord, now: number): Promise<void> {
  if (word.kind === "report")
    await db
      .update(messages)
      .set({ state: word.state })
      .where(
        and(
          eq(messages.id, word.ref),
          eq(messages.channel, "sms"),
          // A report is as good as the gateway's own answer, which may be late, lost or unreadable.
          inArray(messages.state, ["waiting", "sent", "failed"]),
          gt(messages.attempts, 0),
        ),
      );
  if (word.kind === "stop")
    await db.batch([
      noteStop(db, numberHash(word.from), true, now),
      db
        .update(messages)
        .set({ state: "dropped" })
        .where(
          and(eq(messages.recipient, word.from), eq(messages.channel, "sms"), eq(messages.state, "waiting")),
        ),
    ]);
}
