import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { isOfKind } from "../../leads/bookings/store.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { bookings } from "../../leads/tables.ts";
import { contactCorrections } from "../../pipeline/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import type { ErasureRound } from "./commands.ts";
import { type ErasedPerson, hasNumberOf } from "./rules.ts";

/** Returns the condition that a row has one of the person's keys. Each branch of the OR has its own index. */
function matchesPerson(
  person: ErasedPerson,
  keys: { phoneKey: SQLiteColumn; otherPhoneKey: SQLiteColumn; emailKey: SQLiteColumn },
): SQL | undefined {
  const { phoneKeys, email } = person;
  const byPhone = phoneKeys.length > 0;
  return or(
    byPhone ? inArray(keys.phoneKey, phoneKeys) : undefined,
    // Repeats the condition of the partial index, or SQLite does not use it.
    byPhone ? and(sql`${keys.otherPhoneKey} <> ''`, inArray(keys.otherPhoneKey, phoneKeys)) : undefined,
    email === null ? undefined : eq(keys.emailKey, email),
  );
}

/**
 * Returns the first leads of a person's requests that are not erased yet, oldest first. Matches the contact details of
 * the first lead and of one rescued from it, which the customer may have changed since, and a business's corrections.
 * Every row must have contact keys.
 */
export async function findLeadsOf(db: Db, person: ErasedPerson, limit: number): Promise<LeadRow[]> {
  const isTheirs = matchesPerson(person, leads);
  if (!isTheirs) return [];
  const corrected = db
    .select({ leadId: leadPurchases.leadId })
    .from(contactCorrections)
    .innerJoin(leadPurchases, eq(leadPurchases.id, contactCorrections.purchaseId))
    .where(matchesPerson(person, contactCorrections));
  const firstIds = db
    .select({ id: sql`coalesce(${leads.rescuedFromId}, ${leads.id})` })
    .from(leads)
    .where(or(isTheirs, inArray(leads.id, corrected)));
  return db
    .select()
    .from(leads)
    .where(and(isNull(leads.erasedAt), inArray(leads.id, firstIds)))
    .orderBy(asc(leads.createdAt))
    .limit(limit);
}

/** Returns the IDs of a person's bookings that are not erased yet. Every row must have contact keys. */
export async function findBookingsOf(db: Db, person: ErasedPerson, limit: number): Promise<string[]> {
  const isTheirs = matchesPerson(person, bookings);
  if (!isTheirs) return [];
  const rows = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isNull(bookings.erasedAt), isTheirs))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Counts a person's bookings that are not erased yet. Excludes bookings that are erased with one of these leads. */
function countBookingsOf(db: Db, person: ErasedPerson, leadIds: readonly string[]): Promise<number> {
  const isTheirs = matchesPerson(person, bookings);
  if (!isTheirs) return Promise.resolve(0);
  const isErasedWithLead = sql`${bookings.leadId} IN (SELECT value FROM json_each(${JSON.stringify(leadIds)}))`;
  return db.$count(
    bookings,
    and(isNull(bookings.erasedAt), isTheirs, or(isNull(bookings.leadId), not(isErasedWithLead))),
  );
}

/** Counts a business's purchases, which are retained without a name after an erasure. */
function countPurchasesOf(db: Db, businessId: string): Promise<number> {
  return db.$count(leadPurchases, eq(leadPurchases.buyerId, businessId));
}

/** Whether an account still has its person's name. Accounts of former team members may. */
const isNotErased = sql`${users.username} NOT LIKE 'erased-%'`;

/**
 * Matching rows per page. SQLite also reads accounts that it skips: erased accounts and accounts without a number.
 */
const ACCOUNT_PAGE = 500;

/**
 * Returns the IDs of accounts with the person's number. Accounts have no contact keys, so this compares every number.
 */
async function findByNumber(db: Db, person: ErasedPerson): Promise<string[]> {
  const found: string[] = [];
  let after = "";
  for (;;) {
    const rows = await db
      .select({ id: users.id, phone: users.phone })
      .from(users)
      .where(and(gt(users.id, after), isNotErased, isNotNull(users.phone)))
      .orderBy(asc(users.id))
      .limit(ACCOUNT_PAGE);
    found.push(...rows.filter(({ phone }) => hasNumberOf(person, phone!)).map(({ id }) => id));
    if (rows.length < ACCOUNT_PAGE) return found;
    after = rows.at(-1)!.id;
  }
}

/**
 * Returns accounts with a person's number or email, split into customers and others. Only customer accounts are
 * erased by number or email, because an office may share one number. An account that matches only by an unconfirmed
 * address counts as other: a stranger may have typed the address.
 */
export async function findAccountsOf(
  db: Db,
  person: ErasedPerson,
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
  const rows = await db.select().from(users).where(and(isNotErased, isTheirs));
  const isOwnCustomer = ({ id, userType, ...row }: UserRow) =>
    userType === "customer" &&
    (numbered.includes(id) || [row.email, row.username].some((text) => text?.toLowerCase() === email));
  return { customers: rows.filter(isOwnCustomer), others: rows.filter((row) => !isOwnCustomer(row)) };
}

/** Returns the account with a username, or null. @param username must be lower case */
export async function findByUsername(db: Db, username: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(sql`lower(${users.username}) = ${username}`);
  return row ?? null;
}

/** Returns a provider's current and former team members who are not erased yet. */
export function listTeamOf(db: Db, ownerId: string): Promise<UserRow[]> {
  return db
    .select()
    .from(users)
    .where(and(eq(users.teamOwnerId, ownerId), isNotErased));
}

/** Returns a business's own leads that are not erased yet. */
export async function listLeadsAddedBy(db: Db, businessId: string, limit: number): Promise<LeadRow[]> {
  const rows = await db
    .select({ lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(and(eq(leadPurchases.buyerId, businessId), eq(leads.source, "manual"), isNull(leads.erasedAt)))
    .limit(limit);
  return rows.map(({ lead }) => lead);
}

/** A page of requests created before a time (epoch ms), ordered by creation time and id, after a cursor. */
type OldLeads = { before: number; after: { createdAt: number; id: string } | null; limit: number };

function listOldLeads(
  db: Db,
  { before, after, limit }: OldLeads,
  isDue: SQL | undefined,
): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        isDue,
        lt(leads.createdAt, before),
        // Each plus keeps SQLite on the partial index. Without it, SQLite scans the index of all requests.
        after ? sql`(+${leads.createdAt}, ${leads.id}) > (${after.createdAt}, ${after.id})` : undefined,
      ),
    )
    .orderBy(asc(leads.createdAt), sql`+${leads.id}`)
    .limit(limit);
}

/** SQL: the lead was sold, or not. Must match the index leads_to_erase. */
const isSold = (wanted: 0 | 1) => sql`(${leads.status} = 'sold') = ${wanted} AND ${leads.erasedAt} IS NULL`;

/** Returns a page of sold requests. */
export function listOldSold(db: Db, page: OldLeads): Promise<LeadRow[]> {
  return listOldLeads(db, page, isSold(1));
}

/** Returns a page of unsold requests that are off the market. A rescued lead is erased with the sold one. */
export function listUnsold(db: Db, page: OldLeads): Promise<LeadRow[]> {
  const isOffMarket = inArray(leads.listingState, ["closed", "quarantined"]);
  return listOldLeads(db, page, and(isSold(0), isOffMarket, isNull(leads.rescuedFromId)));
}

/** Returns the IDs of bookings older than the retention period that never became a lead, oldest first. */
export async function listOldBookings(db: Db, filter: { before: number; limit: number }): Promise<string[]> {
  const rows = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isOfKind("inspection"), isNull(bookings.erasedAt), lt(bookings.createdAt, filter.before)))
    .orderBy(asc(bookings.createdAt))
    .limit(filter.limit);
  return rows.map(({ id }) => id);
}

/** The preview stops counting here. No person makes this many requests. */
const MAX_SHOWN = 1_000;

/** The counts that the erasure will report. */
type ErasurePreview = Pick<ErasureRound, "leads" | "bookings" | "accounts" | "accountsLeft" | "purchases">;

/** Counts what erasing the account with this username would erase. */
async function previewByUsername(db: Db, username: string) {
  const user = await findByUsername(db, username);
  if (!user) return { leadIds: [], accounts: 0, accountsLeft: 0, purchases: 0 };
  if (user.isSuperAdmin) return { leadIds: [], accounts: 0, accountsLeft: 1, purchases: 0 };
  if (user.userType !== "provider") return { leadIds: [], accounts: 1, accountsLeft: 0, purchases: 0 };
  const [addedLeads, team, purchases] = await Promise.all([
    listLeadsAddedBy(db, user.id, MAX_SHOWN),
    listTeamOf(db, user.id),
    countPurchasesOf(db, user.id),
  ]);
  return { leadIds: addedLeads.map(({ id }) => id), accounts: team.length + 1, accountsLeft: 0, purchases };
}

/** Counts what `erasePerson` would erase, without erasing anything. */
export async function previewErasure(db: Db, person: ErasedPerson): Promise<ErasurePreview> {
  const [requests, { customers, others }, named] = await Promise.all([
    findLeadsOf(db, person, MAX_SHOWN),
    findAccountsOf(db, person),
    person.username === null ? null : previewByUsername(db, person.username),
  ]);
  const leadIds = new Set([...requests.map(({ id }) => id), ...(named?.leadIds ?? [])]);
  const accounts = named?.accounts ?? 0;
  return {
    leads: leadIds.size,
    bookings: await countBookingsOf(db, person, [...leadIds]),
    accounts: customers.length + accounts,
    // A named account no longer counts as left.
    accountsLeft: Math.max(others.length - accounts, named?.accountsLeft ?? 0),
    purchases: named?.purchases ?? 0,
  };
}
