/** Addresses that have opted out of emails about requests. */
import { eq } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { emailStops } from "../platform/db/schema.ts";

/** Returns since when an address has opted out of emails about requests, epoch ms; null if it has not. */
export async function emailsStoppedSince(db: Db, addressHash: string): Promise<number | null> {
  const [row] = await db
    .select({ since: emailStops.since })
    .from(emailStops)
    .where(eq(emailStops.addressHash, addressHash));
  return row?.since ?? null;
}

/**
 * Returns the statement that opts an address out of emails about requests, or in again. Waiting emails are checked
 * when they are sent. Idempotent.
 * @param now epoch ms
 */
export function noteEmailStop(db: Db, addressHash: string, isStopped: boolean, now: number) {
  return isStopped
    ? db.insert(emailStops).values({ addressHash, since: now }).onConflictDoNothing()
    : db.delete(emailStops).where(eq(emailStops.addressHash, addressHash));
}
