import { and, asc, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import {
  NEW_PAGE_DAYS,
  type ProviderGroup,
  type ProviderListItem,
  STOPPED_BUYING_DAYS,
  STOPPED_CALLING_DAYS,
} from "../../../contract/providers.ts";
import type { QuarantineReason } from "../../../contract/quarantine.ts";
import {
  COUNTED_RESULTS,
  LOW_STANDING_MIN_LEADS,
  LOW_STANDING_SHARE,
  STANDING_DAYS,
} from "../../../contract/standing.ts";
import { type Caller, OWN_MACHINE, type UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import { callResult, hasCountedClock } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { signIns } from "../tables.ts";
import { profileCouncils, providerProfiles, users } from "../../platform/db/users.ts";
import { olderThan } from "../../platform/db/sql.ts";
import { findKnownDevice, listUserIds } from "../auth/device-cookie.ts";
import { businessOf } from "../auth/rules.ts";
import { networkKey } from "../auth/sign-in-commands.ts";

/** SQL: the name of the business of a joined user. */
export const businessName = sql<string>`coalesce(nullif(${users.companyName}, ''), ${users.firstName} || ' ' || ${users.lastName})`;

const columns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  companyName: users.companyName,
  username: users.username,
  email: users.email,
  userType: users.userType,
  phone: users.phone,
  abn: users.abn,
  isActive: users.isActive,
  isVerified: users.isVerified,
  isSuperAdmin: users.isSuperAdmin,
  createdAt: users.createdAt,
};

/** Removes apostrophes, so that "obrien" finds "O'Brien". */
const withoutApostrophes = (text: SQL) => sql`replace(replace(${text}, '''', ''), '’', '')`;

/** Minimum digits for a phone number search. Fewer digits are a house number or part of a name. */
const MIN_DIGITS = 6;

/** SQL: the user is a provider. Deliberately matches no index, so that SQLite uses the small index on super admins. */
const isProvider = sql`(${users.userType} || '') = 'provider'`;

/**
 * SQL: an active provider stopped buying or calling. Either they bought before but not recently, or they have not
 * called about a recently bought lead.
 */
function hasStopped(now: number): SQL {
  const since = now - STOPPED_BUYING_DAYS * DAY_MS;
  const bought = sql`FROM lead_purchases WHERE buyer_id = users.id AND removed_at IS NULL AND mode <> 'manual'`;
  return and(
    isProvider,
    eq(users.isActive, true),
    sql`${users.isSuperAdmin} = 0`,
    sql`EXISTS (SELECT 1 ${bought})`,
    sql`(NOT EXISTS (SELECT 1 ${bought} AND purchased_at >= ${since})
      OR EXISTS (SELECT 1 ${bought} AND tile = 'accepted_lead' AND purchased_at >= ${since}
        AND purchased_at < ${now - STOPPED_CALLING_DAYS * DAY_MS} AND called_at IS NULL AND last_contact_at IS NULL))`,
  )!;
}

const COUNTED = sql.raw(COUNTED_RESULTS.map((result) => `'${result}'`).join(", "));

/** SQL: an active provider with a low standing, as `isLowShare` in contract/standing.ts. */
function isSlow(now: number): SQL {
  return and(
    isProvider,
    eq(users.isActive, true),
    sql`(SELECT count(*) >= ${LOW_STANDING_MIN_LEADS} AND sum(result = 'in_time') < ${LOW_STANDING_SHARE} * count(*)
      FROM (SELECT ${callResult(now)} AS result FROM lead_purchases
        WHERE buyer_id = users.id AND ${hasCountedClock} AND purchased_at >= ${now - STANDING_DAYS * DAY_MS})
      WHERE result IN (${COUNTED}))`,
  )!;
}

/** SQL: the provider has a new page that is public, or will be once the provider is established. */
const hasNewPage = (now: number) => sql`EXISTS (SELECT 1 FROM provider_profiles WHERE business_id = users.id
  AND is_public AND provider_profiles.created_at > ${now - NEW_PAGE_DAYS * DAY_MS})`;

const GROUPS: Readonly<Record<Exclude<ProviderGroup, "stopped" | "slow" | "new_page">, SQL>> = {
  admins: and(sql`${users.isSuperAdmin} = 1`, isProvider)!,
  unverified: and(eq(users.isVerified, false), eq(users.isActive, true))!,
  deactivated: eq(users.isActive, false),
};

function groupCondition(group: ProviderGroup, now: number): SQL {
  if (group === "stopped") return hasStopped(now);
  if (group === "new_page") return hasNewPage(now);
  return group === "slow" ? isSlow(now) : GROUPS[group];
}

/** `q` searches names, company, username, email and phone number. An empty `q` matches every provider. */
type Wanted = { q: string; only?: ProviderGroup | undefined; now: number };

function isFound({ q, only, now }: Wanted): SQL | undefined {
  const words = sql`${users.firstName} || ' ' || ${users.lastName} || ' ' || coalesce(${users.companyName}, '') || ' ' || ${users.username} || ' ' || coalesce(${users.email}, '')`;
  const digits = /^[+\d\s()-]+$/.test(q) ? q.replaceAll(/\D/g, "").replace(/^(61|0)/, "") : "";
  // Not LIKE: D1 refuses patterns over 50 bytes.
  const inWords = sql`instr(lower(${withoutApostrophes(words)}), lower(${withoutApostrophes(sql`${q}`)}))`;
  return and(
    only === "admins" ? undefined : eq(users.userType, "provider"),
    only && groupCondition(only, now),
    q
      ? or(inWords, digits.length >= MIN_DIGITS ? sql`instr(${users.phoneKey}, ${digits})` : undefined)
      : undefined,
  );
}

/**
 * Lists providers, newest first.
 * @param filter the search; `after` is the last row of the previous page (keyset by creation time and id)
 */
export function listProviders(
  db: Db,
  filter: Wanted & { after: { createdAt: number; id: string } | null; limit: number },
): Promise<ProviderListItem[]> {
  const { after, limit } = filter;
  return db
    .select(columns)
    .from(users)
    .where(and(isFound(filter), olderThan(users.createdAt, users.id, after)))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit);
}

/** Counts the providers that match a search; an empty search matches all. */
export async function countProviders(db: Db, wanted: Wanted): Promise<number> {
  return db.$count(users, isFound(wanted));
}

/** Finds one provider for super admins; null if the id is unknown or the user is not a provider. */
export async function findProvider(db: Db, id: string): Promise<ProviderListItem | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider")));
  return row ?? null;
}

/** Finds a provider who can receive leads; null if the id is unknown or the provider is deactivated. */
export async function findActiveProvider(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider"), eq(users.isActive, true)));
  return row ?? null;
}

// Finds a person's businesses. Someone may open a second account to escape a bad record.

/**
 * SQL: the IDs of a business and of the same person's other businesses, which have the same checked ABN. A phone number
 * does not count: no one checks it, so a provider could pass a bad record on to a rival by typing the rival's number.
 */
export const businessesOfPerson = (businessId: SQL | string): SQL => sql`(SELECT ${businessId}
  UNION SELECT other.business_id FROM provider_checks AS own CROSS JOIN provider_checks AS other ON other.number = own.number
    WHERE own.business_id = ${businessId} AND own.kind = 'abn' AND own.state = 'valid'
      AND other.kind = 'abn' AND other.state = 'valid')`;

/**
 * SQL: the ids of businesses that may be the same person's: with the same checked ABN or bank account, or older with the
 * same phone.
 */
export const mayBeSamePerson = (businessId: string): SQL => sql`(SELECT id FROM (
    SELECT id FROM users WHERE id IN ${businessesOfPerson(businessId)}
    UNION SELECT other.id FROM users AS own CROSS JOIN users AS other ON other.phone_key = own.phone_key
      WHERE own.id = ${businessId} AND other.phone_key IS NOT NULL AND +other.user_type = 'provider'
        AND +other.created_at < own.created_at
    UNION SELECT other.user_id FROM bank_details AS own CROSS JOIN bank_details AS other
      ON other.account_hash = own.account_hash WHERE own.user_id = ${businessId} AND other.account_hash IS NOT NULL)
  WHERE id <> ${businessId})`;

// SQL about businesses' public pages, for the layers that link to them.

/** SQL: an admin has verified the business or its ABN, or it has paid for a lead. Raw, for queries on `users` alone. */
export const isEstablished = sql<boolean>`(users.is_verified
  OR EXISTS (SELECT 1 FROM provider_checks
    WHERE business_id = users.id AND kind = 'abn' AND state = 'valid')
  OR EXISTS (SELECT 1 FROM lead_purchases
    WHERE buyer_id = users.id AND removed_at IS NULL AND payment_status = 'completed' AND amount_paid_cents > 0))`;

/** SQL: everyone may see the page. Join it with the business's account. */
export const isProfileShown = and(
  sql`${providerProfiles.isPublic}`,
  isNull(providerProfiles.hiddenAt),
  eq(users.isActive, true),
  isEstablished,
)!;

/** SQL: the slug of a business's page; null if it has none that everyone may see. Join it with `users`. */
export const shownSlug = sql<string | null>`(SELECT provider_profiles.slug FROM provider_profiles
  WHERE provider_profiles.business_id = users.id AND provider_profiles.is_public
    AND provider_profiles.hidden_at IS NULL AND users.is_active AND ${isEstablished})`;

/** Lists the councils in which a business works, by its page. */
export async function listCouncils(db: Db, businessId: string): Promise<string[]> {
  const rows = await db
    .select({ council: profileCouncils.council })
    .from(profileCouncils)
    .where(eq(profileCouncils.businessId, businessId))
    .orderBy(asc(profileCouncils.council));
  return rows.map(({ council }) => council);
}

/** Returns the slug of a business's page, also of one that is not public; null if it has none. */
export async function findSlug(db: Db, businessId: string): Promise<string | null> {
  const [row] = await db
    .select({ slug: providerProfiles.slug })
    .from(providerProfiles)
    .where(eq(providerProfiles.businessId, businessId));
  return row?.slug ?? null;
}

// Recognises a provider behind a customer's act.

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
