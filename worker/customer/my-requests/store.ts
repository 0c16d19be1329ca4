/** All requests of a customer, who has opened a one-time link or is signed in. */
import { and, desc, eq, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";

import { type ListedRequest, type MyData, REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import { consumeSecret } from "../../identity/auth/one-time-secret-store.ts";
import { hashToken, newToken } from "../../identity/auth/rules.ts";
import { formatLeadSuburb } from "../../leads/rules.ts";
import { ANSWERS, pick } from "../../leads/views.ts";
import type { Session } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets } from "../../identity/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { DomainError } from "../../platform/errors.ts";

/** Maximum requests in a list. No customer has more in the time that we store them. */
const MAX_LISTED = 50;

/** SQL: the status of the lead that was rescued from a request's first lead, or else of the first one. */
const currentStatus = sql<ListedRequest["status"]>`coalesce(
  (SELECT rescued.status FROM ${leads} AS rescued
    WHERE rescued.rescued_from_id IS NOT NULL AND rescued.rescued_from_id = ${leads}.id),
  ${leads}.status)`;

/** A request that its customer can open. A rescued lead belongs to its first request. */
const isListable = and(
  ne(leads.source, "manual"),
  isNull(leads.erasedAt),
  isNull(leads.rescuedFromId),
  sql`${currentStatus} <> 'withdrawn'`,
);

/** SQL: a request's current email key: the rescued lead's, or else the original lead's. */
const currentEmailKey = sql`coalesce(
  (SELECT rescued.email_key FROM ${leads} AS rescued
    WHERE rescued.rescued_from_id IS NOT NULL AND rescued.rescued_from_id = ${leads}.id),
  ${leads}.email_key)`;

/**
 * Returns the condition for the requests that now have this email address.
 * @param email in lower case
 */
export const isSentFrom = (email: string): SQL =>
  and(
    // Finds the first lead of a request by either of its leads.
    sql`${leads.id} IN (SELECT coalesce(own.rescued_from_id, own.id) FROM ${leads} AS own
      WHERE own.email_key = ${email} ORDER BY own.created_at DESC LIMIT ${2 * MAX_LISTED})`,
    isListable,
    sql`${currentEmailKey} = ${email}`,
  )!;

/** SQL: the requests that a user sent while signed in and that are not erased. */
export function isSentByAccount({ id }: Pick<Session["user"], "id">): SQL {
  return and(
    // Repeats the condition of the partial index, or SQLite does not use it.
    isNotNull(leads.customerId),
    eq(leads.customerId, id),
    ne(leads.source, "manual"),
    isNull(leads.erasedAt),
    isNull(leads.rescuedFromId),
  )!;
}

/** Returns the email address of an opened list; null for an unknown or expired secret. */
async function findOpenedList(db: Db, token: string, now: number): Promise<string | null> {
  const isOpen = and(
    eq(oneTimeSecrets.hash, hashToken(token)),
    eq(oneTimeSecrets.purpose, "request_list"),
    isNotNull(oneTimeSecrets.usedAt),
    gt(oneTimeSecrets.expiresAt, now),
  );
  const [list] = await db.select({ email: oneTimeSecrets.email }).from(oneTimeSecrets).where(isOpen);
  return list?.email ?? null;
}

/** The caller of a list: the secret of an opened list, or a signed-in customer. */
export type ListCaller = { token: string; session: Session | null; now: number };

/** Returns the condition of the requests that a caller may read; null for a caller without a list. */
async function findRights(db: Db, { token, session, now }: ListCaller): Promise<SQL | null> {
  const email = token && (await findOpenedList(db, token, now));
  if (email) return isSentFrom(email);
  return session?.user.userType === "customer" ? and(isSentByAccount(session.user), isListable)! : null;
}

/** SQL: the provider of a request's current lead says that the job is done. */
const isDone = sql<boolean>`EXISTS (SELECT 1 FROM lead_purchases
  WHERE lead_id = coalesce((SELECT rescued.id FROM ${leads} AS rescued
      WHERE rescued.rescued_from_id IS NOT NULL AND rescued.rescued_from_id = ${leads}.id), ${leads}.id)
    AND removed_at IS NULL AND job_complete_at IS NOT NULL)`.mapWith(Boolean);

const LISTED = {
  leadId: leads.id,
  reference: leads.reference,
  services: leads.serviceType,
  suburbName: leads.suburbName,
  suburbPostcode: leads.suburbPostcode,
  createdAt: leads.createdAt,
  status: currentStatus,
  isDone,
};

/** Returns the caller's requests, newest first; null for a caller without a list. */
export async function listMyRequests(db: Db, caller: ListCaller): Promise<ListedRequest[] | null> {
  const mine = await findRights(db, caller);
  if (!mine) return null;
  const rows = await db
    .select(LISTED)
    .from(leads)
    .where(mine)
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(MAX_LISTED);
  return rows.map(({ suburbName, suburbPostcode, isDone: isJobDone, ...request }) => ({
    ...request,
    status: isJobDone ? "done" : request.status,
    place: formatLeadSuburb({ suburbName, suburbPostcode }),
  }));
}

/** Returns the data that a user entered: the account, and the requests that they sent while signed in, newest first. */
export async function readMyData(db: Db, user: Session["user"]): Promise<MyData> {
  const { username, firstName, lastName, email, phone } = user;
  const requests = await db
    .select({ reference: leads.reference, createdAt: leads.createdAt, ...pick(leads, ANSWERS) })
    .from(leads)
    .where(isSentByAccount(user))
    .orderBy(desc(leads.createdAt), desc(leads.id));
  return { account: { username, firstName, lastName, email, phone }, requests };
}

/** Returns whether the caller may open a request. */
export async function ownsRequest(db: Db, caller: ListCaller, leadId: string): Promise<boolean> {
  const mine = await findRights(db, caller);
  if (!mine) return false;
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.id, leadId), mine));
  return rows.length > 0;
}

/**
 * Uses up a link, and replaces its secret by one for the page that shows the list. Only one of two concurrent calls
 * succeeds.
 * @returns the new secret, which works for an hour
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function openListLink(db: Db, token: string, now: number): Promise<string> {
  const opened = newToken();
  const link = { purpose: "request_list", hash: hashToken(token) } as const;
  const renewed = { hash: hashToken(opened), expiresAt: now + REQUEST_LIST_MS };
  if (!(await consumeSecret(db, link, now, renewed))) throw new DomainError("link_ended");
  return opened;
}
