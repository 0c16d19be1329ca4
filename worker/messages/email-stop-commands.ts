/** Recipients who have opted out: addresses of emails about requests, numbers of text messages. */
import { eq } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { messageStops } from "../platform/db/schema.ts";

/** Returns since when a recipient has opted out, epoch ms; null if they have not. */
export async function stoppedSince(db: Db, recipientHash: string): Promise<number | null> {
  const [row] = await db
    .select({ since: messageStops.since })
    .from(messageStops)
    .where(eq(messageStops.recipientHash, recipientHash));
  return row?.since ?? null;
}

/**
 * Returns the statement that opts a recipient out, or in again. Waiting messages are checked when they are sent.
 * Idempotent.
 * @param now epoch ms
 */
export function noteStop(db: Db, recipientHash: string, isStopped: boolean, now: number) {
  return isStopped
    ? db.insert(messageStops).values({ recipientHash, since: now }).onConflictDoNothing()
    : db.delete(messageStops).where(eq(messageStops.recipientHash, recipientHash));
}
