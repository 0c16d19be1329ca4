/** The statements that take a person, a request or an address out of the outbox. */
import { eq } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { leadAlerts, messages, pushDevices, quietHours, teamAlerts } from "../db/schema.ts";

/** The statements that take a person out of what is to be said and of where it would go. */
export function forgetHearer(db: Db, userId: string) {
  return [
    db.delete(messages).where(eq(messages.userId, userId)),
    db.delete(pushDevices).where(eq(pushDevices.userId, userId)),
    db.delete(quietHours).where(eq(quietHours.userId, userId)),
    db.delete(teamAlerts).where(eq(teamAlerts.userId, userId)),
    db.delete(leadAlerts).where(eq(leadAlerts.userId, userId)),
  ] as const;
}

/** The statement that takes what was written of a request out of the outbox, with the address it went to. */
export const forgetRequest = (db: Db, leadId: string) =>
  db.delete(messages).where(eq(messages.leadId, leadId));

/** The same for all that went to an address, whosever account it was about. @param email in small letters */
export const forgetAddress = (db: Db, email: string) =>
  db.delete(messages).where(eq(messages.recipient, email));
