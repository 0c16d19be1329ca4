import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect } from "drizzle-orm/sqlite-core";

import { LISTING_STATES } from "../../contract/leads.ts";
import type { CallStep } from "../../contract/market-figures.ts";
import type { Region } from "../../contract/regions.ts";
import { HOLD_MS } from "../exchange/hold-rules.ts";
import type { Db } from "../platform/db/client.ts";
import { type After, olderThan } from "../platform/db/sql.ts";
import { pausedRegions } from "../exchange/tables.ts";
import { rescueOffers } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { leadPurchases } from "../platform/db/purchases.ts";
import { hasReachedStep } from "../platform/db/call-result.ts";
import { type LeadRow } from "./rules.ts";
import { CHOICES, pick, type ShownLead } from "./views.ts";

/** Must match the condition of the partial indexes on leads. */
const onTheMarket = sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`;

/** One page of the market. `after` is the last row of the previous page (keyset by creation time and id). */
type Page = {
  /** Omits rescued leads that this business had first, and requests from its session or browser; null for none. */
  businessId: string | null;
  regions: Region[];
  limit: number;
  after: { createdAt: number; id: string } | null;
  now: number;
};

/** Narrows a selection from `leads` to a page of available ones, newest first. */
function onPage<Selection extends SQLiteSelect>(
  selection: Selection,
  { businessId, regions, limit, after, now }: Page,
) {
  return selection
    .where(
      and(
        onTheMarket,
        regions.length ? inArray(leads.region, regions) : undefined,
        gt(leads.expiresAt, now),
        businessId ? sql`${leads.excludedBusinessId} IS NOT ${businessId}` : undefined,
        olderThan(leads.createdAt, leads.id, after),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(limit);
}

/** Lists available leads in full, for super admins. */
export function listAvailable(db: Db, page: Page): Promise<LeadRow[]> {
  return onPage(db.select().from(leads).$dynamic(), page);
}

/**
 * Columns of a lead that rivals may see. Queries read no other columns, so they cannot leak and long texts cost no
 * time.
 */
export const SHOWN = {
  ...pick(leads, CHOICES),
  id: leads.id,
  customerPhone: leads.customerPhone,
  redactedName: leads.redactedName,
  redactedRequests: leads.redactedRequests,
  redactedLocation: leads.redactedLocation,
  latitude: leads.latitude,
  longitude: leads.longitude,
  photoCount: leads.photoCount,
  confirmedBy: leads.confirmedBy,
  leadScore: leads.leadScore,
  status: leads.status,
  priceCents: leads.priceCents,
  createdAt: leads.createdAt,
  expiresAt: leads.expiresAt,
} satisfies Record<keyof ShownLead, SQLiteColumn>;

/** Lists available leads as rivals see them, without the customer's own words. */
export function listShown(db: Db, page: Page): Promise<ShownLead[]> {
  return onPage(db.select(SHOWN).from(leads).$dynamic(), page);
}

/** The contact keys that two requests of one customer may share. Each has its index. */
const CUSTOMER_KEYS = [sql.raw("phone_key"), sql.raw("email_key")];

/**
 * Returns which of these leads are from customers whom the business already has. Reads by the contact keys' indexes:
 * CROSS JOIN reads the few leads with the key first, instead of all the business's purchases. A purchase added by hand
 * counts only for later requests. Otherwise a business could try phone numbers on a lead for sale.
 */
export async function listOwnCustomers(db: Db, businessId: string, leadIds: string[]): Promise<string[]> {
  const isOwn = CUSTOMER_KEYS.map(
    (key) => sql`EXISTS (SELECT 1
      FROM leads AS own CROSS JOIN lead_purchases AS bought ON bought.lead_id = own.id AND bought.removed_at IS NULL
      WHERE own.${key} = leads.${key} AND bought.buyer_id = ${businessId}
        AND (bought.mode <> 'manual' OR bought.purchased_at < leads.created_at))`,
  );
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(
      and(
        // D1 binds at most 100 values.
        sql`${leads.id} IN (SELECT value FROM json_each(${JSON.stringify(leadIds)}))`,
        // Not `onTheMarket`: a window may ask before D1 has the listing.
        eq(leads.status, "available"),
        sql`${leads.excludedBusinessId} IS NOT ${businessId}`,
        or(...isOwn),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * SQL: a business sent this request itself, going by session, browser, phone number or email address.
 * A rescued lead excludes its first buyer, so its first lead names the sender's business.
 */
export const isOwnRequest = (businessId: string, leadId: string) =>
  sql`EXISTS (SELECT 1 FROM leads AS own JOIN users ON users.id = ${businessId} OR users.team_owner_id = ${businessId}
    WHERE own.id = ${leadId} AND (own.customer_id = users.id OR users.phone_key IN (own.phone_key, own.other_phone_key)
      OR own.email_key IN (lower(users.email), lower(users.pending_email))
      OR ${businessId} = (CASE WHEN own.rescued_from_id IS NULL THEN own.excluded_business_id
        ELSE (SELECT first.excluded_business_id FROM leads AS first WHERE first.id = own.rescued_from_id) END)))`;

/** Returns whether a lead is a request of a business's own. */
export async function hasOwnRequest(db: Db, businessId: string, leadId: string): Promise<boolean> {
  const [row] = await db.select({ isOwn: isOwnRequest(businessId, leadId) }).from(sql`(SELECT 1)`);
  return Boolean(row?.isOwn);
}

/** Finds a lead by id, with all contact details. The caller must check the user's permission first. */
export async function findLead(db: Db, id: string): Promise<LeadRow | null> {
  const [row] = await db.select().from(leads).where(eq(leads.id, id));
  return row ?? null;
}

/** Finds the lead from an earlier attempt with the same submission id. */
export async function findBySubmission(db: Db, submissionId: string): Promise<LeadRow | null> {
  const [row] = await db.select().from(leads).where(eq(leads.submissionId, submissionId));
  return row ?? null;
}

/** Lists requests that were stored but not listed, oldest first. Omits paused regions and those in `without`. */
export function listPending(
  db: Db,
  filter: { before: number; offeredUntil: number; without: Region[]; limit: number },
): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        sql`${leads.listingState} = 'pending'`,
        lt(leads.createdAt, filter.before),
        notInArray(leads.region, db.select({ region: pausedRegions.region }).from(pausedRegions)),
        filter.without.length > 0 ? notInArray(leads.region, filter.without) : undefined,
        // A rescued lead stays pending while it is offered to one business.
        sql`NOT EXISTS (SELECT 1 FROM rescue_offers WHERE lead_id = ${leads.id}
          AND outcome IS NULL AND ends_at > ${filter.offeredUntil})`,
      ),
    )
    .orderBy(asc(leads.createdAt))
    .limit(filter.limit);
}

/** Returns the leads that are offered to a business, with the end of each offer. */
export function listOffers(db: Db, businessId: string, now: number) {
  return db
    .select({ lead: leads, endsAt: rescueOffers.endsAt })
    .from(rescueOffers)
    .innerJoin(leads, eq(leads.id, rescueOffers.leadId))
    .where(
      and(
        eq(rescueOffers.businessId, businessId),
        // A hold outlives its offer.
        gt(rescueOffers.endsAt, now - HOLD_MS),
        isNull(rescueOffers.outcome),
        eq(leads.status, "available"),
      ),
    )
    .orderBy(asc(rescueOffers.endsAt));
}

const LISTING_STATE_NAMES: readonly string[] = LISTING_STATES;

/** SQL: the lead ended with this status. Must match the index on ended leads. */
const hasEnded = (status: string) =>
  sql`${leads.status} <> 'available' AND (${leads.status} || '') = ${status}`;

/** Conditions by state. Each must match its partial index. */
const INDEXED_STATES: Record<string, SQL> = {
  available: sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
  pending: sql`${leads.listingState} = 'pending'`,
  quarantined: sql`${leads.listingState} = 'quarantined'`,
  sold: hasEnded("sold"),
  withdrawn: hasEnded("withdrawn"),
  expired: hasEnded("expired"),
};

/** SQL: the lead is in one of the contract's states. Available means listed, not pending. */
export function isInState(state: string): SQL {
  return (
    INDEXED_STATES[state] ??
    (LISTING_STATE_NAMES.includes(state)
      ? sql`${leads.listingState} = ${state}`
      : sql`${leads.status} = ${state}`)
  );
}

/** Filters of the admins' list. */
export type AdminLeadFilter = {
  state?: string | undefined;
  region?: Region | undefined;
  onMarket: boolean;
  step?: CallStep | undefined;
  /** Start of the first day and end of the last, epoch ms. */
  since?: number | undefined;
  before?: number | undefined;
  now: number;
  keys: { id?: string; reference?: string; phone?: string; email?: string; purchase?: string } | null;
};

/** Returns the conditions of the admins' list. They must match its indexes. */
export function filterCondition(filter: AdminLeadFilter): SQL | undefined {
  const { state, region, onMarket, step, since, before, now, keys } = filter;
  return and(
    step ? hasReachedStep(step, now) : undefined,
    since === undefined ? undefined : gte(leads.createdAt, since),
    before === undefined ? undefined : lt(leads.createdAt, before),
    state ? isInState(state) : undefined,
    onMarket ? isInState("available") : undefined,
    region ? sql`(${leads.region} || '') = ${region}` : undefined,
    keys?.id ? eq(leads.id, keys.id) : undefined,
    keys?.reference ? eq(leads.reference, keys.reference) : undefined,
    keys?.phone ? eq(leads.phoneKey, keys.phone) : undefined,
    keys?.email ? eq(leads.emailKey, keys.email) : undefined,
    keys?.purchase
      ? sql`${leads.id} = (SELECT lead_id FROM lead_purchases WHERE id = ${keys.purchase})`
      : undefined,
  );
}

const { buyerId, buyerName, buyerCompany, mode, amountPaidCents } = leadPurchases;

/** The purchase's columns in the admins' list. */
const BUYER = { buyerId, buyerName, buyerCompany, mode, amountPaidCents };

export function selectForAdmins(db: Db) {
  return db
    .select({ lead: leads, purchase: BUYER })
    .from(leads)
    .leftJoin(leadPurchases, and(eq(leadPurchases.leadId, leads.id), isNull(leadPurchases.removedAt)));
}

/** Lists leads in every state, newest first, each with its purchase. */
export function listLeadsForAdmins(db: Db, filter: AdminLeadFilter & { after: After; limit: number }) {
  return selectForAdmins(db)
    .where(and(filterCondition(filter), olderThan(leads.createdAt, leads.id, filter.after)))
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(filter.limit);
}
