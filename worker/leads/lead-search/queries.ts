import { and, desc, inArray, or, type SQL, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import { type AdminLeadFilter, isWanted, selectForAdmins } from "../queries.ts";
import { endOf, type Words } from "./rules.ts";

/** Leads that one word brings by one index: whoever has more alike types another word. */
const MOST_ALIKE = 40;
const MOST_SUBURBS = 5;

/** Leads of which something begins with a word: each arm reads so many rows of its own index. */
function beginWith({ word, street }: Words["beginnings"][number]): SQL[] {
  const arm = (expression: SQL, beginning: string) =>
    sql`SELECT id FROM (SELECT id FROM leads WHERE ${expression} >= ${beginning} AND ${expression} < ${endOf(beginning)} LIMIT ${MOST_ALIKE})`;
  const suburbs = sql`SELECT id FROM suburbs WHERE name COLLATE NOCASE >= ${word} AND name COLLATE NOCASE < ${endOf(word)} LIMIT ${MOST_SUBURBS}`;
  return [
    arm(sql`lower(customer_name)`, word),
    arm(sql`substr(lower(customer_name), instr(customer_name, ' ') + 1)`, word),
    // Newest first: of a suburb there are many.
    sql`SELECT near.id FROM (${suburbs}) AS place CROSS JOIN leads AS near WHERE near.rowid IN (
      SELECT newest.rowid FROM leads AS newest WHERE newest.suburb_id = place.id AND newest.source <> 'manual'
      ORDER BY newest.created_at DESC LIMIT ${MOST_ALIKE})`,
    ...(street
      ? [
          sql`SELECT id FROM (SELECT id FROM leads WHERE street_key IS NOT NULL AND ltrim(street_key, '0123456789/- ') >= ${street} AND ltrim(street_key, '0123456789/- ') < ${endOf(street)} LIMIT ${MOST_ALIKE})`,
        ]
      : []),
  ];
}

/** That a lead has a word in its name, suburb, postcode or address. */
function has(word: string): SQL {
  const text = sql`lower(${leads.customerName} || ' ' || coalesce(${leads.suburbName}, '') || ' ' || coalesce(${leads.suburbPostcode}, '') || ' ' || ${leads.customerAddress} || ' ' || coalesce(${leads.streetKey}, ''))`;
  return sql`instr(${text}, ${word}) > 0`;
}

/**
 * Leads whose name, suburb or street has all of these words, newest first: of the first words that say something,
 * one begins it. What is read does not grow with the market, so of very many alike some are left out.
 */
export function searchLeads(db: Db, words: Words, filter: AdminLeadFilter & { limit: number }) {
  // D1 takes five parts of a UNION at most: a list for each word.
  const alike = words.beginnings.map((word) =>
    inArray(leads.id, sql`(${sql.join(beginWith(word), sql` UNION ALL `)})`),
  );
  const narrowed = isWanted(filter);
  return selectForAdmins(db)
    .where(
      and(
        or(...alike),
        // Asked of what the words found: by its own words it has an index, and SQLite would read all of that.
        narrowed && sql`(${narrowed}) IS TRUE`,
        ...words.all.map(has),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(filter.limit);
}
