/** Addresses that want no more emails about requests. */
import { eq } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { emailStops } from "../db/schema.ts";

/** Since when an address wants no more emails about requests, epoch ms; null while it takes them. */
export async function emailsStoppedSince(db: Db, addressHash: string): Promise<number | null> {
  const [row] = await db
    .select({ since: emailStops.since })
    .from(emailStops)
    .where(eq(emailStops.addressHash, addressHash));
  return row?.since ?? null;
}

/**
 * The statement that notes that an address wants no more emails about requests, or that it takes them again. What
 * waits is looked at when it is to go. Repeated it changes nothing.
 * @param now epoch ms
 */
export function noteEmailStop(db: Db, addressHash: string, isStopped: boolean, now: number) {
  return isStopped
    ? db.insert(emailStops).values({ addressHash, since: now }).onConflictDoNothing()
    : db.delete(emailStops).where(eq(emailStops.addressHash, addressHash));
}
