/** Checks a customer's change like a new request, and reads stored changes. */

import { and, asc, eq, gt, lt, sql } from "drizzle-orm";

import { UNCLEAR_SUBURB } from "../../../contract/address.ts";
import { phoneKey } from "../../../contract/phone.ts";
import type { PendingUpdateKind, RequestChange } from "../../../contract/request-links.ts";
import { calledOffId, pendingId } from "../../leads/customer-update-queries.ts";
import { requestKeys } from "../../leads/quarantine/contact-keys.ts";
import { findEarlierAt } from "../../leads/quarantine/queries.ts";
import { isRepeated, isSuspiciousChange } from "../../leads/quarantine/sign-rules.ts";
import type { RequestLink } from "../../leads/request-link-store.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { resolvePlace } from "../../leads/suburbs/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerUpdates } from "../../platform/db/purchases.ts";
import { leads } from "../../platform/db/leads.ts";
import { DomainError } from "../../platform/errors.ts";
import { maxDigitTries } from "./rules.ts";

/**
 * Returns whether a new address is in the request's suburb. The suburb decides which exchange has the lead.
 * @param address undefined if it does not change
 * @throws DomainError invalid_input if the address does not clearly name a suburb
 */
export async function isInSameSuburb(
  db: Db,
  { suburbId }: Pick<LeadRow, "suburbId">,
  address: string | undefined,
): Promise<boolean> {
  if (address === undefined) return true;
  const place = await resolvePlace(db, { address });
  if (!place && suburbId)
    throw new DomainError("invalid_input", UNCLEAR_SUBURB, { customerAddress: UNCLEAR_SUBURB });
  return (place?.id ?? null) === suburbId;
}

/** A request with its pending change, and the original lead, before any rescue. */
type RequestVersions = { lead: LeadRow; first: LeadRow };

/** Returns the ids of a person's other requests with one of the same services at the same place. */
async function findDuplicates(db: Db, lead: LeadRow, since: number): Promise<string[]> {
  const earlier = await findEarlierAt(db, requestKeys(lead), since);
  const ownId = lead.rescuedFromId ?? lead.id;
  return earlier
    .filter((other) => other.requestId !== ownId && isRepeated(lead.serviceType, [other]))
    .map(({ requestId }) => requestId);
}

/**
 * Returns whether a change would make the request a duplicate of another one, so the customer has to call us. Duplicates
 * that the request already had do not count, because an admin has released them. A duplicate that a change reveals
 * counts as a guess, or a stranger could find out who has a request at an address.
 */
async function isDuplicate(
  { db, settings }: Context,
  { lead, first }: RequestVersions,
  change: RequestChange,
  now: number,
) {
  const { duplicateMs } = settings.screening;
  const revised = { ...lead, ...change } as LeadRow;
  const hasNewKeys = JSON.stringify(requestKeys(revised)) !== JSON.stringify(requestKeys(lead));
  const hasNewService = revised.serviceType.some((kind) => !lead.serviceType.includes(kind));
  if (duplicateMs === 0 || !(hasNewKeys || hasNewService)) return false;
  if ((await countGuess(db, first, now)) === null) return true;
  let isNew = false;
  try {
    const known = await findDuplicates(db, lead, now - duplicateMs);
    const found = await findDuplicates(db, revised, now - duplicateMs);
    isNew = found.some((id) => !known.includes(id));
  } finally {
    // A failed look-up reveals nothing either.
    if (!isNew) await returnGuess(db, first);
  }
  return isNew;
}

/** Returns whether an admin must review a change. The customer then has to call us. */
export async function isSuspicious(
  context: Context,
  changed: RequestVersions,
  change: RequestChange,
  now: number,
) {
  const { lead } = changed;
  // An admin looks at a quarantined request before anyone reads it.
  if (lead.listingState === "quarantined") return false;
  const typedIn = (field: "specificRequests" | "customerPhone" | "customerEmail") => {
    const value = change[field];
    return value && value !== lead[field] ? value : null;
  };
  const typed = {
    text: typedIn("specificRequests"),
    phone: typedIn("customerPhone"),
    email: typedIn("customerEmail"),
  };
  return (
    isSuspiciousChange(typed, context.settings.screening) ||
    (await isDuplicate(context, changed, change, now))
  );
}

// Limits what a stranger with a forwarded link can guess, such as the last four digits of the phone number.

/**
 * Counts a guess before it is checked, so parallel requests cannot exceed the limit. A request accepts five guesses, and
 * one more for each 30 days. Call `returnGuess` if it was right or revealed nothing.
 * @param first the original lead, before any rescue
 * @returns the number of further guesses; null if the request accepts no more
 */
async function countGuess(db: Db, first: LeadRow, now: number): Promise<number | null> {
  const maxTries = maxDigitTries(first, now);
  const [counted] = await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} + 1` })
    .where(and(eq(leads.id, first.id), lt(leads.digitTries, maxTries)))
    .returning({ tries: leads.digitTries });
  return counted ? maxTries - counted.tries : null;
}

/** Takes back the count of a guess that was right, or of a change that revealed nothing. */
async function returnGuess(db: Db, first: LeadRow): Promise<void> {
  await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} - 1` })
    .where(eq(leads.id, first.id));
}

/**
 * Checks the last digits of the number on a request. A correct guess does not count.
 * @returns `right`, or the number of further tries; 0 also if the request accepts no more
 */
export async function checkLastDigits(
  db: Db,
  { lead, first }: RequestLink,
  digits: string,
  now: number,
): Promise<"right" | number> {
  const triesLeft = await countGuess(db, first, now);
  if (triesLeft === null) return 0;
  if (
    (phoneKey(lead.customerPhone) ?? lead.customerPhone.normalize("NFKC")).replaceAll(/\D/g, "").slice(-4) !==
    digits
  )
    return triesLeft;
  await returnGuess(db, first);
  return "right";
}

/** SQL: the unfinished acts of a kind, of leads after this one. "`" is the character after "_". */
const isPending = (kind: PendingUpdateKind, after = "") =>
  and(gt(customerUpdates.id, pendingId(kind, after)), lt(customerUpdates.id, `${kind}\``));

/** Returns a lead's stored change, and its number in the order of changes. */
export async function findPendingChange(db: Db, leadId: string) {
  const [row] = await db
    .select({ lead: leads, stored: customerUpdates.changes, revision: customerUpdates.at })
    .from(customerUpdates)
    .innerJoin(leads, eq(leads.id, customerUpdates.leadId))
    .where(eq(customerUpdates.id, pendingId("pending_change", leadId)));
  return row ? { ...row, stored: row.stored as unknown as Record<string, string> } : null;
}

/** Returns the leads of unfinished acts, in the order of their ids. @param page.after the last lead of the page before */
export async function listPendingUpdates(
  db: Db,
  kind: PendingUpdateKind,
  page: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ leadId: customerUpdates.leadId })
    .from(customerUpdates)
    .where(isPending(kind, page.after))
    .orderBy(asc(customerUpdates.id))
    .limit(page.limit);
  return rows.map(({ leadId }) => leadId);
}

/** Returns whether the customer has called off a sold job. */
export async function isCalledOff(db: Db, leadId: string): Promise<boolean> {
  return (await db.$count(customerUpdates, eq(customerUpdates.id, calledOffId(leadId)))) > 0;
}
