import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { UserRow } from "../platform/session.ts";
import type { Db } from "../db/client.ts";
import { bookings, contactCorrections, leadPurchases, leads, users } from "../db/schema.ts";
import type { LeadRow } from "../leads/rules.ts";
import { hasNumberOf, type Person } from "./person.ts";

/** Whether one of a row's keys is the person's; each leg has an index of its own. */
function isPersons(
  person: Person,
  keys: { phoneKey: SQLiteColumn; otherPhoneKey: SQLiteColumn; emailKey: SQLiteColumn },
): SQL | undefined {
  const { phoneKeys, email } = person;
  const byPhone = phoneKeys.length > 0;
  return or(
    byPhone ? inArray(keys.phoneKey, phoneKeys) : undefined,
    // The words of the partial index.
    byPhone ? and(sql`${keys.otherPhoneKey} <> ''`, inArray(keys.otherPhoneKey, phoneKeys)) : undefined,
    email === null ? undefined : eq(keys.emailKey, email),
  );
}

/**
 * Requests of a person that still name them, by what they sent or what a business corrected, oldest first. Every
 * row has to have its keys.
 */
export async function findLeadsOf(db: Db, person: Person, limit: number): Promise<LeadRow[]> {
  const isTheirs = isPersons(person, leads);
  if (!isTheirs) return [];
  const corrected = db
    .select({ leadId: leadPurchases.leadId })
    .from(contactCorrections)
    .innerJoin(leadPurchases, eq(leadPurchases.id, contactCorrections.purchaseId))
    .where(isPersons(person, contactCorrections));
  return db
    .select()
    .from(leads)
    .where(and(isNull(leads.erasedAt), or(isTheirs, inArray(leads.id, corrected))))
    .orderBy(asc(leads.createdAt))
    .limit(limit);
}

/** Bookings of a person that still name them. Every row has to have its keys. */
export async function findBookingsOf(db: Db, person: Person, limit: number): Promise<string[]> {
  const isTheirs = isPersons(person, bookings);
  if (!isTheirs) return [];
  const rows = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isNull(bookings.erasedAt), isTheirs))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** How many bookings of a person still name them, without those that go with one of these leads. */
export function countBookingsOf(db: Db, person: Person, leadIds: readonly string[]): Promise<number> {
  const isTheirs = isPersons(person, bookings);
  if (!isTheirs) return Promise.resolve(0);
  const goesWithLead = sql`${bookings.leadId} IN (SELECT value FROM json_each(${JSON.stringify(leadIds)}))`;
  return db.$count(
    bookings,
    and(isNull(bookings.erasedAt), isTheirs, or(isNull(bookings.leadId), not(goesWithLead))),
  );
}

/** How many purchases a business has, which stay without a name when it is erased. */
export function countPurchasesOf(db: Db, businessId: string): Promise<number> {
  return db.$count(leadPurchases, eq(leadPurchases.buyerId, businessId));
}

/** Requests and bookings from before they had keys. */
export function listWithoutKeys(db: Db, limit: number) {
  return db.batch([
    db
      .select({ id: leads.id, phone: leads.customerPhone, email: leads.customerEmail })
      .from(leads)
      .where(sql`other_phone_key IS NULL AND erased_at IS NULL`)
      .limit(limit),
    db
      .select({ id: bookings.id, phone: bookings.phone, email: bookings.email })
      .from(bookings)
      .where(sql`other_phone_key IS NULL AND erased_at IS NULL`)
      .limit(limit),
  ]);
}

/** Some more are read and passed over: those without a number, and those removed. */
const ACCOUNT_PAGE = 500;

/** Accounts with the person's number. Accounts have no keys: each number is looked at, page by page. */
async function findByNumber(db: Db, person: Person): Promise<string[]> {
  const found: string[] = [];
  let after = "";
  for (;;) {
    const rows = await db
      .select({ id: users.id, phone: users.phone })
      .from(users)
      .where(and(gt(users.id, after), isNull(users.removedAt), isNotNull(users.phone)))
      .orderBy(asc(users.id))
      .limit(ACCOUNT_PAGE);
    found.push(...rows.filter(({ phone }) => hasNumberOf(person, phone!)).map(({ id }) => id));
    if (rows.length < ACCOUNT_PAGE) return found;
    after = rows.at(-1)!.id;
  }
}

/**
 * Accounts with a person's number or email, by what they are. Only customers' accounts are erased by
 * these: the number of an office is many people's. Nor is one by an address that was never confirmed:
 * anybody can have typed it.
 */
export async function findAccountsOf(
  db: Db,
  person: Person,
): Promise<{ customers: UserRow[]; others: UserRow[] }> {
  const { phoneKeys, email } = person;
  const numbered = phoneKeys.length > 0 ? await findByNumber(db, person) : [];
  const isTheirs = or(
    numbered.length > 0
      ? sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(numbered)}))`
      : undefined,
    email === null ? undefined : sql`lower(${users.email}) = ${email}`,
    email === null ? undefined : sql`lower(${users.username}) = ${email}`,
    email === null
      ? undefined
      : sql`${users.pendingEmail} IS NOT NULL AND lower(${users.pendingEmail}) = ${email}`,
  );
  if (!isTheirs) return { customers: [], others: [] };
  const rows = await db
    .select()
    .from(users)
    .where(and(isNull(users.removedAt), isTheirs));
  const isSure = ({ id, userType, ...row }: UserRow) =>
    userType === "customer" &&
    (numbered.includes(id) || [row.email, row.username].some((text) => text?.toLowerCase() === email));
  return { customers: rows.filter(isSure), others: rows.filter((row) => !isSure(row)) };
}

/** The account with a username; null for a name nobody has. */
export async function findByUsername(db: Db, username: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(sql`lower(${users.username}) = ${username}`);
  return row ?? null;
}

/** Everybody who is or was on a provider's team and still has a name. */
export function listTeamOf(db: Db, ownerId: string): Promise<UserRow[]> {
  return db
    .select()
    .from(users)
    .where(and(eq(users.teamOwnerId, ownerId), sql`${users.username} NOT LIKE 'erased-%'`));
}

/** Leads a business brought along itself that still name somebody. */
export async function listBroughtBy(db: Db, businessId: string, limit: number): Promise<LeadRow[]> {
  const rows = await db
    .select({ lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(and(eq(leadPurchases.buyerId, businessId), eq(leads.source, "manual"), isNull(leads.erasedAt)))
    .limit(limit);
  return rows.map(({ lead }) => lead);
}

/** Requests that were bought so long ago that nobody needs their person any more, oldest first. */
export function listSoldLongAgo(db: Db, filter: { before: number; limit: number }): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        // The words of the partial index.
        sql`${leads.status} = 'sold' AND ${leads.erasedAt} IS NULL`,
        lt(leads.createdAt, filter.before),
      ),
    )
    .orderBy(asc(leads.createdAt))
    .limit(filter.limit);
}

/** Requests nobody bought that are off the market and older than the retention time, oldest first. */
export function listUnsold(db: Db, filter: { before: number; limit: number }): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        // The words of the partial index.
        sql`${leads.status} <> 'sold' AND ${leads.erasedAt} IS NULL`,
        lt(leads.createdAt, filter.before),
        inArray(leads.listingState, ["closed", "quarantined"]),
      ),
    )
    .orderBy(asc(leads.createdAt))
    .limit(filter.limit);
}

/** Bookings that never became a lead and are older than the retention time, oldest first. */
export async function listOldBookings(db: Db, filter: { before: number; limit: number }): Promise<string[]> {
  const rows = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      and(
        sql`${bookings.leadId} IS NULL AND ${bookings.erasedAt} IS NULL`,
        lt(bookings.createdAt, filter.before),
      ),
    )
    .orderBy(asc(bookings.createdAt))
    .limit(filter.limit);
  return rows.map(({ id }) => id);
}
