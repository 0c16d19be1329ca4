/** What customers have done to their requests (the table customer_updates): ids and conditions. */
import { type SQL, sql } from "drizzle-orm";

import type { PendingUpdateKind } from "../../contract/request-links.ts";
import { leads } from "../platform/db/leads.ts";
import type { LeadRow } from "./rules.ts";

/** Returns the id of a request's unfinished act. Each request has one of each kind. */
export const pendingId = (kind: PendingUpdateKind, leadId: string) => `${kind}_${leadId}`;

/**
 * Returns the condition that a lead is the one we read.
 * @param stored the revision of its stored change; null without one
 */
export function isAsRead(
  { id, revision, listingState }: Pick<LeadRow, "id" | "revision" | "listingState">,
  stored: number | null,
): SQL {
  const storedAt = sql`(SELECT at FROM customer_updates WHERE id = ${pendingId("pending_change", id)})`;
  return sql`${leads.revision} = ${revision} AND ${leads.listingState} = ${listingState}
    AND ${storedAt} IS ${stored}`;
}

/** Returns the id of the update that tells a buyer that the job is off. */
export const calledOffId = (leadId: string) => `upd_withdrawn_${leadId}`;

/** SQL: the id of a lead's request. A rescued lead belongs to its first lead's request. */
export const requestId = sql<string>`coalesce(${leads.rescuedFromId}, ${leads.id})`;
