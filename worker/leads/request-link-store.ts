/**
 * Creates the secret links to requests' pages, and finds the request that a link opens. The page itself is in
 * worker/customer.
 */
import { and, eq, sql } from "drizzle-orm";

import type { ConfirmedBy } from "../../contract/lead-labels.ts";
import { hashToken, newToken } from "../identity/auth/rules.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { requestLinks } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { keyedHash } from "../platform/keys.ts";
import type { LeadRow } from "./rules.ts";

/**
 * Creates a secret link to a request's page. Earlier links stay valid.
 * @param leadId any lead of the request; the link is to its first one
 * @param options.token the same token again creates no second link
 * @param options.sentBy how we send the link; null for a link that a page shows
 * @returns the link's token
 */
export async function createRequestLink(
  db: Db,
  leadId: string,
  now: number,
  { token = newToken(), sentBy = null }: { token?: string; sentBy?: ConfirmedBy | null } = {},
): Promise<string> {
  const firstId = sql`coalesce((SELECT rescued_from_id FROM leads WHERE id = ${leadId}), ${leadId})`;
  await db
    .insert(requestLinks)
    .values({ tokenHash: hashToken(token), leadId: firstId, createdAt: now, sentBy })
    .onConflictDoNothing();
  return token;
}

/** A request as its form submitted it. */
type Submission = { leadId: string; submissionId: string | null | undefined };

/**
 * Returns the token of the link in the response to a submission. A repeated submission gets the same link. Our key keeps
 * readers of D1 from computing the token.
 */
export function submissionToken(originHashKey: string | null, { leadId, submissionId }: Submission): string {
  if (!submissionId) return newToken();
  return keyedHash(originHashKey ?? "naturestrip", `request link ${leadId} ${submissionId}`);
}

/** Creates the link in the response to a booking. */
export function createSubmissionLink(
  { db, settings }: Context,
  submission: Submission,
  now: number,
): Promise<string> {
  const token = submissionToken(settings.originHashKey, submission);
  return createRequestLink(db, submission.leadId, now, { token });
}

/**
 * A request that a link opens. `lead`: its current lead. `first`: the lead that the customer sent. It differs after a
 * rescue.
 */
export type RequestLink = {
  lead: LeadRow;
  first: LeadRow;
  tokenHash: string;
  /** How we sent the link; null for a link that a page showed. */
  sentBy: ConfirmedBy | null;
};

const isErased = ({ erasedAt }: LeadRow) => erasedAt !== null;
const isClosed = (lead: LeadRow) => isErased(lead) || lead.status === "withdrawn";

/** SQL: the lead that was rescued from another. */
export const isRescuedFrom = (leadId: string) =>
  // Repeats the condition of the partial index, or SQLite does not use it.
  and(sql`rescued_from_id IS NOT NULL`, eq(leads.rescuedFromId, leadId))!;

/** Returns the lead that was rescued from a sold one, or the lead itself. */
export async function findCurrentLead(db: Db, first: LeadRow): Promise<LeadRow> {
  if (first.status !== "sold") return first;
  const [rescued] = await db.select().from(leads).where(isRescuedFrom(first.id));
  return rescued ?? first;
}

/** Returns the request that a link opens. Null for an unknown link, and for a withdrawn or erased request. */
export const findRequestByToken = (db: Db, token: string) => findLinked(db, token, isClosed);

/** Returns the request that a link can erase: also a withdrawn one. Null for an unknown link and an erased request. */
export const findErasableRequest = (db: Db, token: string) => findLinked(db, token, isErased);

async function findLinked(
  db: Db,
  token: string,
  isGone: (lead: LeadRow) => boolean,
): Promise<RequestLink | null> {
  const tokenHash = hashToken(token);
  const [row] = await db
    .select({ lead: leads, sentBy: requestLinks.sentBy })
    .from(requestLinks)
    .innerJoin(leads, eq(leads.id, requestLinks.leadId))
    .where(eq(requestLinks.tokenHash, tokenHash));
  if (!row || isGone(row.lead)) return null;
  const lead = await findCurrentLead(db, row.lead);
  return isGone(lead) ? null : { lead, first: row.lead, tokenHash, sentBy: row.sentBy };
}
