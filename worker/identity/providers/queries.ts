import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import {
  NEW_PAGE_DAYS,
  type ProviderGroup,
  type ProviderListItem,
  STOPPED_BUYING_DAYS,
  STOPPED_CALLING_DAYS,
} from "../../../contract/providers.ts";
import {
  COUNTED_RESULTS,
  LOW_STANDING_MIN_LEADS,
  LOW_STANDING_SHARE,
  STANDING_DAYS,
} from "../../../contract/standing.ts";
import { callResult, hasCountedClock } from "../../platform/db/call-result.ts";
import type { UserRow } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { olderThan } from "../../platform/db/paging.ts";
import { users } from "../../platform/db/schema.ts";

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
