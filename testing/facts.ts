/** Reads and writes state that no endpoint exposes. If a table or class is renamed, only this file changes. */
import { eq } from "drizzle-orm";
import type { SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";

import { api } from "../worker/api.ts";
import { exchangeOf } from "../worker/exchange/exchange-calls.ts";
import { guarded } from "../worker/identity/access.ts";
import { DUMMY_HASH, hashingQueue, hashPassword, MAX_WAITING } from "../worker/identity/auth/passwords.ts";
import { hashToken } from "../worker/identity/auth/rules.ts";
import { readWebp } from "../worker/leads/photos/images.ts";
import { listProfilePhotos } from "../worker/leads/photos/queries.ts";
import { findLead } from "../worker/leads/queries.ts";
import { contactKeys } from "../worker/leads/quarantine/contact-keys.ts";
import type { LeadRow } from "../worker/leads/rules.ts";
import { roomOf as businessRoom } from "../worker/live/room.ts";
import { readPublicReviews } from "../worker/pipeline/reviews/queries.ts";
import {
  attention,
  auditLog,
  bankDetails,
  customerUpdates,
  leadPurchases,
  leads,
  passkeys,
  payments,
  providerChecks,
  sessions,
  signIns,
  stageChanges,
  users,
} from "../worker/tables.ts";
import { WEBHOOK_EVENTS } from "../worker/selling/payments/intents.ts";
import { db, testEnv } from "./client.ts";

type Changes<Table extends SQLiteTable> = SQLiteUpdateSetSource<Table>;

/** Returns a stored lead with the customer's details. @throws if there is none */
export async function leadRow(id: string): Promise<LeadRow> {
  const lead = await findLead(db, id);
  if (!lead) throw new Error(`No lead ${id}`);
  return lead;
}

/** Returns a stored purchase. @throws if there is none */
export async function purchaseRow(id: string) {
  const [row] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, id));
  if (!row) throw new Error(`No purchase ${id}`);
  return row;
}

/** Returns a stored account. @throws if there is none */
export async function userRow(id: string) {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  if (!row) throw new Error(`No user ${id}`);
  return row;
}

/** Changes a stored lead to a state that only time or an older release produces. */
export const setLead = (id: string, values: Changes<typeof leads>) =>
  db.update(leads).set(values).where(eq(leads.id, id));

/** Changes a stored purchase. */
export const setPurchase = (id: string, values: Changes<typeof leadPurchases>) =>
  db.update(leadPurchases).set(values).where(eq(leadPurchases.id, id));

/** Changes a stored account. */
export const setUser = (id: string, values: Changes<typeof users>) =>
  db.update(users).set(values).where(eq(users.id, id));

/** Returns the audit log's entries about a subject, oldest first. */
export const auditEntries = (subjectId: string) =>
  db.select().from(auditLog).where(eq(auditLog.subjectId, subjectId)).orderBy(auditLog.id);

/** Returns the problems that the admins see or have resolved. */
export const problems = () => db.select().from(attention);

/** Returns the problems of one subject. */
export const problemsOf = (subjectId: string) =>
  db.select().from(attention).where(eq(attention.subjectId, subjectId));

/** Returns all purchases of a lead. D1 allows one that is live. */
export const purchasesOf = (leadId: string) =>
  db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));

/** Returns a business's purchases. */
export const purchasesBy = (businessId: string) =>
  db.select().from(leadPurchases).where(eq(leadPurchases.buyerId, businessId));

/** Returns the changes of a purchase's stage. */
export const stageChangesOf = (purchaseId: string) =>
  db.select().from(stageChanges).where(eq(stageChanges.purchaseId, purchaseId));

/** Returns what a request's customer did after the sale. */
export const customerUpdatesOf = (leadId: string) =>
  db.select().from(customerUpdates).where(eq(customerUpdates.leadId, leadId));

/** Returns the ledger's rows about a lead. */
export const paymentsFor = (leadId: string) => db.select().from(payments).where(eq(payments.leadId, leadId));

/** Changes the ledger's row of a hold. */
export const setPayment = (holdId: string, values: Changes<typeof payments>) =>
  db.update(payments).set(values).where(eq(payments.holdId, holdId));

/** Returns a user's stored sessions. */
export const sessionsOf = (userId: string) => db.select().from(sessions).where(eq(sessions.userId, userId));

/** Changes all of a user's sessions. */
export const setSessions = (userId: string, values: Changes<typeof sessions>) =>
  db.update(sessions).set(values).where(eq(sessions.userId, userId));

/** Returns a user's passkeys. */
export const passkeysOf = (userId: string) => db.select().from(passkeys).where(eq(passkeys.userId, userId));

/** Returns the sign-ins that a user's Settings list. */
export const signInsOf = (userId: string) => db.select().from(signIns).where(eq(signIns.userId, userId));

/** Returns a business's encrypted bank details. */
export const bankDetailsOf = (userId: string) =>
  db.select().from(bankDetails).where(eq(bankDetails.userId, userId));

/** Returns the checks of a business's documents. */
export const checksOf = (businessId: string) =>
  db.select().from(providerChecks).where(eq(providerChecks.businessId, businessId));

/** Returns the stub of a region's exchange. */
export const exchangeIn = (region: string) => exchangeOf(testEnv, region)!;

/** Returns the stub of the room that connects a business's open windows. */
export const roomOf = (businessId: string) => businessRoom(testEnv, businessId);

/** Returns the stored hash of a cookie's session token. */
export const sessionHash = (cookie: string): string => hashToken(cookie.replace("session=", ""));

/** The queue of passwords that wait to be hashed, how many may wait, and the hash that an unknown name is checked with. */
export { DUMMY_HASH, hashingQueue, MAX_WAITING };

/** Returns the stored hash of a password. */
export const hashOf = (password: string): Promise<string> => hashPassword(password);

/** Returns a page of the reviews that a business's public page shows. */
export const publicReviews = (businessId: string, page = 1) => readPublicReviews(db, businessId, page);

/** Returns the photos that a business's public page shows. */
export const publicPhotos = (businessId: string) => listProfilePhotos(db, businessId, 10);

/** Returns the width and height of a stored photo. */
export const sizeOfPhoto = (bytes: Uint8Array) => readWebp(bytes);

/** Columns of a lead or booking by which we find its customer again. */
export { contactKeys };

/** Stripe's events that our webhook endpoint must handle. */
export { WEBHOOK_EVENTS };

/** Returns every route of the API, and whether it declares who may call it. */
export function apiRoutes(): { method: string; path: string; isGuarded: boolean }[] {
  return api.routes.map(({ method, path, handler }) => ({ method, path, isGuarded: guarded.has(handler) }));
}
