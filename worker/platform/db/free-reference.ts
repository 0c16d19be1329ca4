import { sql, type SQL } from "drizzle-orm";

import { newReference } from "../../../contract/reference.ts";

/** Candidates per statement. With a million requests, the chance that all candidates are taken is one in a trillion. */
const MAX_CANDIDATES = 4;

/** Returns SQL for a reference that no lead or booking has, for use in the statement that stores it. */
export function unusedReference(made = Array.from({ length: MAX_CANDIDATES }, newReference)): SQL<string> {
  return sql`(
    SELECT made.value FROM json_each(${JSON.stringify(made)}) AS made
    WHERE NOT EXISTS (SELECT 1 FROM leads WHERE leads.reference = made.value)
      AND NOT EXISTS (SELECT 1 FROM bookings WHERE bookings.reference = made.value)
    LIMIT 1
  )`;
}
