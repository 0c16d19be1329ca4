/** Recognises a provider behind a customer's act. */
import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";

import type { QuarantineReason } from "../../../contract/quarantine.ts";
import { type Caller, OWN_MACHINE } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { signIns, users } from "../../platform/db/schema.ts";
import { findKnownDevice, listUserIds } from "../auth/device-cookie.ts";
import { networkKey } from "../auth/sign-in-commands.ts";

/** What shows that a provider, or a member of its team, acted. */
export type ProviderTrace = Extract<QuarantineReason, `provider_${string}`> | "provider_network";

/** A person's contact keys, as in `leads`. */
type Person = { phoneKey: string | null; emailKey: string | null };

/** SQL: a user has the phone number or email address of a person. */
const isPerson = ({ phoneKey, emailKey }: Person) => [
  eq(users.phoneKey, phoneKey ?? ""),
  sql`lower(${users.email}) = ${emailKey ?? ""}`,
  // Repeats the condition of the partial index, or SQLite does not use it.
  sql`(${users.pendingEmail} IS NOT NULL AND lower(${users.pendingEmail}) = ${emailKey ?? ""})`,
];

/** SQL: an account of a business, of any business and also a former one. Admins act for customers. */
const isBusiness = and(ne(users.userType, "customer"), eq(users.isSuperAdmin, false));

/**
 * Returns the strongest sign that a provider sent a request or a review: its session, a browser that it signed in with,
 * its phone number or email address, or a network where it signed in within 90 days. Null without one.
 */
export async function findProviderTrace(
  context: Context,
  { session, device, network }: Pick<Caller, "session" | "device" | "network">,
  person: Person,
  now: number,
): Promise<ProviderTrace | null> {
  const { db } = context;
  const select = (where: SQL) => db.select().from(users).where(and(where, isBusiness));
  const [phone, email, pendingEmail] = isPerson(person);
  const [owners, byPhone, byEmail, byPendingEmail, here] = await db.batch([
    select(inArray(users.id, listUserIds(device))),
    select(phone!),
    select(email!),
    select(pendingEmail!),
    db
      .select({ id: signIns.id })
      .from(signIns)
      .innerJoin(users, eq(users.id, signIns.userId))
      .where(and(eq(signIns.networkKey, networkKey(context, network)), isBusiness))
      .limit(1),
  ]);
  const user = session?.user;
  if (user && user.userType !== "customer" && !user.isSuperAdmin) return "provider_session";
  if (owners.some((owner) => findKnownDevice(device, owner, now) !== null)) return "provider_device";
  if (byPhone.length + byEmail.length + byPendingEmail.length > 0) return "provider_contact";
  return here.length > 0 && !OWN_MACHINE.has(network) ? "provider_network" : null;
}

/** SQL: a lead is a request of a business's own: with its session, or its phone number or email address. */
export const isOwnRequest = (businessId: string, leadId: string) =>
  sql`EXISTS (SELECT 1 FROM leads AS own JOIN users ON users.id = ${businessId} OR users.team_owner_id = ${businessId}
    WHERE own.id = ${leadId} AND (own.customer_id = users.id OR own.phone_key = users.phone_key
      OR own.email_key IN (lower(users.email), lower(users.pending_email))))`;

/** Returns whether a lead is a request of a business's own. */
export async function hasOwnRequest(db: Db, businessId: string, leadId: string): Promise<boolean> {
  const [row] = await db
    .select({ isOwn: isOwnRequest(businessId, leadId) })
    .from(users)
    .where(eq(users.id, businessId));
  return Boolean(row?.isOwn);
}
