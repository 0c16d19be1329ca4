import { and, asc, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Db } from "../db/client.ts";
import { bookings, leads, users } from "../db/schema.ts";
import type { LeadRow } from "../leads/rules.ts";
import type { Person } from "./rules.ts";

/** What people put between the digits of a number. */
const SEPARATORS = [" ", "-", "(", ")", ".", "/", "+", "\u00A0"];

/** A column's digits end with these; whole tables are read, once per request of a person. */
function endsWithDigits(column: SQLiteColumn, digits: string): SQL {
  const bare = SEPARATORS.reduce((text, mark) => sql`replace(${text}, ${mark}, '')`, sql`${column}`);
  return sql`${bare} LIKE ${`%${digits}`}`;
}

function isPerson(person: Person, phone: SQLiteColumn, email: SQLiteColumn): SQL | undefined {
  return or(
    person.phoneDigits === null ? undefined : endsWithDigits(phone, person.phoneDigits),
    person.email === null ? undefined : sql`lower(${email}) = ${person.email}`,
  );
}

/** Requests of a person that still name them, oldest first. */
export function findLeadsOf(db: Db, person: Person, limit: number): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        isNull(leads.erasedAt),
        or(
          isPerson(person, leads.customerPhone, leads.customerEmail),
          person.phoneDigits === null ? undefined : eq(leads.phoneKey, `+61${person.phoneDigits}`),
          person.email === null ? undefined : eq(leads.emailKey, person.email),
        ),
      ),
    )
    .orderBy(asc(leads.createdAt))
    .limit(limit);
}

/** Bookings of a person that still name them. */
export async function findBookingsOf(db: Db, person: Person, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isNull(bookings.erasedAt), isPerson(person, bookings.phone, bookings.email)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Accounts of a person, by what they are. Providers and their teams trade with us: an erasure leaves
 * their accounts alone and the operator is told how many there are.
 */
export async function findAccountsOf(
  db: Db,
  person: Person,
): Promise<{ customers: string[]; others: number }> {
  const rows = await db
    .select({ id: users.id, userType: users.userType })
    .from(users)
    .where(
      and(
        isNull(users.removedAt),
        or(
          isPerson(person, users.phone, users.email),
          person.email === null ? undefined : sql`lower(${users.username}) = ${person.email}`,
        ),
      ),
    );
  const customers = rows.filter(({ userType }) => userType === "customer").map(({ id }) => id);
  return { customers, others: rows.length - customers.length };
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
