import { sql, type SQL } from "drizzle-orm";

import { newReference } from "../../../contract/reference.ts";

/** Returns whether D1 reported an error with this text. D1 reports errors only in the message of the error or its cause. */
export function hasMessage(error: unknown, text: string): boolean {
  return `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`.includes(text);
}

/**
 * Returns whether D1 rejected a write that would violate a UNIQUE index. Its message is such as "UNIQUE constraint
 * failed: users.email".
 * @param named the part of the message that names the index or its column, such as "lead_purchases.lead_id"
 */
export function isUniqueViolation(error: unknown, named: string): boolean {
  return hasMessage(error, named);
}

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
