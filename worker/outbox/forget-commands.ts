import { eq } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { alertSettings, messages, pushDevices } from "../platform/db/schema.ts";

/** Returns the statements that delete a user's messages, devices and alert settings. */
export function forgetHearer(db: Db, userId: string) {
  return [
    db.delete(messages).where(eq(messages.userId, userId)),
    db.delete(pushDevices).where(eq(pushDevices.userId, userId)),
    db.delete(alertSettings).where(eq(alertSettings.userId, userId)),
  ] as const;
}

/** Returns the statement that deletes a request's messages, with the addresses they went to. */
export const forgetRequest = (db: Db, leadId: string) =>
  db.delete(messages).where(eq(messages.leadId, leadId));

/** Returns the statement that deletes every message to an address, about any account. @param email in lower case */
export const forgetAddress = (db: Db, email: string) =>
  db.delete(messages).where(eq(messages.recipient, email));
