import { sql, type SQL } from "drizzle-orm";

import { newReference } from "../../contract/reference.ts";

/** So many are tried in one statement: among a million requests, all are taken once in a trillion. */
const TRIED = 4;

/** A reference that no lead and no booking has, as part of the statement that stores it. */
export function freeReference(made = Array.from({ length: TRIED }, newReference)): SQL<string> {
  return sql`(
    SELECT made.value FROM json_each(${JSON.stringify(made)}) AS made
    WHERE NOT EXISTS (SELECT 1 FROM leads WHERE leads.reference = made.value)
      AND NOT EXISTS (SELECT 1 FROM bookings WHERE bookings.reference = made.value)
    LIMIT 1
  )`;
}
