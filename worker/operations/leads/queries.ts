import { and, desc, inArray, or, type SQL, sql } from "drizzle-orm";

import { MAX_SEARCH_WORDS } from "../../../contract/admin-leads.ts";
import { streetKey } from "../../leads/quarantine/contact-keys.ts";
import { type AdminLeadFilter, filterCondition, selectForAdmins } from "../../leads/queries.ts";
import { startsWith } from "../../leads/suburbs/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { endOfPrefix } from "../../platform/db/sql.ts";

/** Maximum leads per word and index. An admin can add words to narrow the search. */
const MAX_SIMILAR = 40;
const MAX_SUBURBS = 5;

/** Selects leads with a field that begins with a word. Each arm reads a limited number of index rows. */
function beginWith({ word, street }: Words["beginnings"][number]): SQL[] {
  const branch = (expression: SQL, beginning: string) =>
    sql`SELECT id FROM (SELECT id FROM leads WHERE ${expression} >= ${beginning} AND ${expression} < ${endOfPrefix(beginning)} LIMIT ${MAX_SIMILAR})`;
  const suburbs = sql`SELECT id FROM suburbs WHERE ${startsWith(word)} LIMIT ${MAX_SUBURBS}`;
  return [
    branch(sql`lower(customer_name)`, word),
    branch(sql`substr(lower(customer_name), instr(customer_name, ' ') + 1)`, word),
    // Read the newest first, because a suburb may have many leads.
    sql`SELECT near.id FROM (${suburbs}) AS place CROSS JOIN leads AS near WHERE near.rowid IN (
      SELECT newest.rowid FROM leads AS newest WHERE newest.suburb_id = place.id AND newest.source <> 'manual'
      ORDER BY newest.created_at DESC LIMIT ${MAX_SIMILAR})`,
    ...(street
      ? [
          sql`SELECT id FROM (SELECT id FROM leads WHERE street_key IS NOT NULL AND ltrim(street_key, '0123456789/- ') >= ${street} AND ltrim(street_key, '0123456789/- ') < ${endOfPrefix(street)} LIMIT ${MAX_SIMILAR})`,
        ]
      : []),
  ];
}

/** Matches leads with a word in their name, suburb, postcode or address. */
function containsWord(word: string): SQL {
  const text = sql`lower(${leads.customerName} || ' ' || coalesce(${leads.suburbName}, '') || ' ' || coalesce(${leads.suburbPostcode}, '') || ' ' || ${leads.customerAddress} || ' ' || coalesce(${leads.streetKey}, ''))`;
  return sql`instr(${text}, ${word}) > 0`;
}

/**
 * Searches leads by words in their name, suburb or street, newest first. A lead must contain every word. At least one
 * field must begin with one of the first usable words. The search reads a limited number of rows, so a very broad
 * search omits some matches.
 */
export function searchLeads(db: Db, words: Words, filter: AdminLeadFilter & { limit: number }) {
  // D1 allows at most five parts in a UNION, so each word has its own.
  const alike = words.beginnings.map((word) =>
    inArray(leads.id, sql`(${sql.join(beginWith(word), sql` UNION ALL `)})`),
  );
  const narrowed = filterCondition(filter);
  return selectForAdmins(db)
    .where(
      and(
        or(...alike),
        // Filter after the word search, or SQLite scans these conditions' own indexes instead.
        narrowed && sql`(${narrowed}) IS TRUE`,
        ...words.all.map(containsWord),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(filter.limit);
}

/** A parsed search. A lead must contain every word. At least one field must begin with one of the first words. */
type Words = { all: string[]; beginnings: { word: string; street: string }[] };

/** Maximum words looked up as the start of a field. */
const LOOKED_UP = 2;

/** Normalises the start of a street like the index, without the house number. */
function streetBeginning(word: string): string {
  return (streetKey(word) ?? "").replace(/^[\d/\- ]+/, "");
}

/** Parses an admin's search into words from a name, a suburb or a street; null if no word is usable. */
export function readWords(q: string): Words | null {
  const all = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
  const beginnings = all
    .filter((word) => /\p{L}{2}/u.test(word))
    .slice(0, LOOKED_UP)
    .map((word) => ({ word, street: streetBeginning(word) }));
  return beginnings.length > 0 ? { all, beginnings } : null;
}
