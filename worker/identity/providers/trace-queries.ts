/** Recognises a provider behind a customer's act. */
import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";

import type { QuarantineReason } from "../../../contract/quarantine.ts";
import { type Caller, OWN_MACHINE } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { signIns, users } from "../../platform/db/schema.ts";
import { findKnownDevice, listUserIds } from "../auth/device-cookie.ts";
import { businessOf } from "../auth/rules.ts";
import { networkKey } from "../auth/sign-in-commands.ts";

/** What shows that a provider, or a member of its team, acted. */
type ProviderTrace = {
  sign: Extract<QuarantineReason, `provider_${string}`>;
  /** The sender's business, known from the session or browser. Null for contact details, which anyone can type. */
  businessId: string | null;
};

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
 * or its phone number or email address. Null without one. Of several businesses in a browser, the last to sign in counts.
 */
export async function findProviderTrace(
  db: Db,
  { session, device }: Pick<Caller, "session" | "device">,
  person: Person,
  now: number,
): Promise<ProviderTrace | null> {
  const owns = (where: SQL) => db.select({ id: users.id }).from(users).where(and(where, isBusiness)).limit(1);
  const [phone, email, pendingEmail] = isPerson(person);
  const userIds = listUserIds(device);
  const [signedIn, owners, ...byContact] = await db.batch([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, session?.user.id ?? ""), isBusiness)),
    db
      .select()
      .from(users)
      .where(and(inArray(users.id, userIds), isBusiness)),
    owns(phone!),
    owns(email!),
    owns(pendingEmail!),
  ]);
  if (signedIn[0]) return { sign: "provider_session", businessId: businessOf(signedIn[0]) };
  const known = owners
    .toSorted((one, other) => userIds.indexOf(one.id) - userIds.indexOf(other.id))
    .find((owner) => findKnownDevice(device, owner, now) !== null);
  if (known) return { sign: "provider_device", businessId: businessOf(known) };
  return byContact.some((found) => found.length > 0) ? { sign: "provider_contact", businessId: null } : null;
}

/** Returns whether a provider signed in from a network within 90 days. Customers may share it, above all a mobile one. */
export async function isProviderNetwork(context: Context, network: string): Promise<boolean> {
  if (OWN_MACHINE.has(network)) return false;
  const here = await context.db
    .select({ id: signIns.id })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(and(eq(signIns.networkKey, networkKey(context, network)), isBusiness))
    .limit(1);
  return here.length > 0;
}
