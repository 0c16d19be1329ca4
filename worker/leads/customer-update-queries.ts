/** What customers have done to their requests (the table customer_updates): ids, stored changes and conditions. */
import { and, gt, lt, type SQL, sql } from "drizzle-orm";

import type { PendingUpdateKind, RequestChange } from "../../contract/request-links.ts";
import { customerUpdates, leads } from "../platform/db/schema.ts";
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

/** Returns a change as it is stored: JSON text by field, so that SQLite can merge two changes. */
export function toStoredChange(change: RequestChange): Record<string, string> {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([field, value]) => [field, JSON.stringify(value)]));
}

/** Returns a text with the line breaks that JSON bodies have: forms send "\r\n". */
export const withLineFeeds = (text: string) => text.replaceAll("\r\n", "\n");

/** Reads a stored change. @param stored from `toStoredChange` */
export function readStoredChange(stored: Record<string, string>): RequestChange {
  const entries = Object.entries(stored).map(([field, value]) => [field, JSON.parse(value) as unknown]);
  const change = Object.fromEntries(entries) as RequestChange;
  const { specificRequests: text } = change;
  return text ? { ...change, specificRequests: withLineFeeds(text) } : change;
}

/** SQL: the unfinished acts of a kind, of leads after this one. "`" is the character after "_". */
export const isPending = (kind: PendingUpdateKind, after = "") =>
  and(gt(customerUpdates.id, pendingId(kind, after)), lt(customerUpdates.id, `${kind}\``));

/** SQL: the id of a lead's request. A rescued lead belongs to its first lead's request. */
export const requestId = sql<string>`coalesce(${leads.rescuedFromId}, ${leads.id})`;
