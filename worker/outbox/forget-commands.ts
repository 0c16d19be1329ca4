import { eq } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { leadAlerts, messages, pushDevices, quietHours, teamAlerts } from "../platform/db/schema.ts";

/** Returns the statements that delete a user's messages, devices and alert settings. */
export function forgetHearer(db: Db, userId: string) {
  return [
    db.delete(messages).where(eq(messages.userId, userId)),
    db.delete(pushDevices).where(eq(pushDevices.userId, userId)),
    db.delete(quietHours).where(eq(quietHours.userId, userId)),
    db.delete(teamAlerts).where(eq(teamAlerts.userId, userId)),
    db.delete(leadAlerts).where(eq(leadAlerts.userId, userId)),
  ] as const;
}

/** Returns the statement that deletes a request's messages, with the addresses they went to. */
export const forgetRequest = (db: Db, leadId: string) =>
  db.delete(messages).where(eq(messages.leadId, leadId));

/** Returns the statement that deletes every message to an address, about any account. @param email in lower case */
export const forgetAddress = (db: Db, email: string) =>
  db.delete(messages).where(eq(messages.recipient, email));
