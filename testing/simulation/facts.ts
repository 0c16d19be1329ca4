/** Reads the current state directly, without the network. Only invariants use it, never the product. */
import { type Hold, openOffer, type Rescue, type Sale } from "../../worker/exchange/listing.ts";
import { REGIONS } from "./population.ts";
import type { Statements } from "./statements.ts";
import type { World } from "./world.ts";

/** A lead's record in a region's exchange. */
export type Record = {
  leadId: string;
  region: string;
  generation: number;
  version: number;
  state: string;
  expiresAt: number;
  summary: string | null;
  sale: Sale | null;
  hold: Hold | null;
  rescue: Rescue | null;
};

/** The records of an exchange that has no listings. */
const NONE: Record[] = [];

/** The records last read from each exchange, with the revision of its storage. */
const known = new WeakMap<Statements, { revision: number; records: Record[] }>();

/** Returns the records of one region's exchange. */
export function recordsOf(world: World, region: string): Record[] {
  const statements = world.exchanges.hosts.get(region)?.statements;
  if (!statements) return NONE;
  const last = known.get(statements);
  if (last?.revision === statements.revision) return last.records;
  const records = readRecords(statements, region);
  known.set(statements, { revision: statements.revision, records });
  return records;
}

function readRecords(statements: Statements, region: string): Record[] {
  const rows = statements.rows(
    `SELECT lead_id AS leadId, generation, version, state, expires_at AS expiresAt, summary, sale, hold, rescue
     FROM listings LEFT JOIN holds USING (lead_id) LEFT JOIN rescues USING (lead_id) ORDER BY lead_id`,
    [],
  ) as (Omit<Record, "sale" | "hold" | "rescue" | "region"> & {
    [part in "sale" | "hold" | "rescue"]: string | null;
  })[];
  return rows.map((row) => ({
    ...row,
    region,
    sale: row.sale ? (JSON.parse(row.sale) as Sale) : null,
    hold: row.hold ? (JSON.parse(row.hold) as Hold) : null,
    rescue: row.rescue ? (JSON.parse(row.rescue) as Rescue) : null,
  }));
}

/** The records of all regions, with the regional lists they were combined from. */
const mergedRecords = new WeakMap<World, { parts: Record[][]; all: Record[] }>();

/** Returns the records of every region's exchange. Returns the same list until something is written. */
export function allRecords(world: World): Record[] {
  const parts = REGIONS.map((region) => recordsOf(world, region));
  const last = mergedRecords.get(world);
  if (last && parts.every((part, i) => part === last.parts[i])) return last.all;
  const all = parts.flat();
  mergedRecords.set(world, { parts, all });
  return all;
}

/** States in which a lead is on the market or about to return to it. */
export const OPEN_STATES: ReadonlySet<string> = new Set(["available", "held", "releasing"]);

/** Returns whether every business sees a lead: it is open, and not offered to one of them. */
export const isPublic = (record: Record): boolean =>
  OPEN_STATES.has(record.state) && openOffer(record) === null;

/**
 * Returns all records, including closed ones that an exchange has lost and that only D1 still has. An admin may since
 * have withdrawn such a lead.
 */
export function closedRecords(world: World): Record[] {
  const ever = new Map(allRecords(world).map((record) => [`${record.region} ${record.leadId}`, record]));
  for (const [place, lost] of world.lostRecords) {
    const currentRecord = ever.get(place);
    const isWithdrawn = currentRecord?.state === "withdrawn";
    if (!currentRecord || (isWithdrawn && currentRecord.generation <= lost.generation)) ever.set(place, lost);
  }
  return [...ever.values()];
}

export type LeadFacts = {
  id: string;
  region: string;
  generation: number;
  version: number;
  status: string;
  listingState: string;
  expiresAt: number;
  erasedAt: number | null;
  rescuedFromId: string | null;
  frequency: string;
};

export function leadsOf(world: World): LeadFacts[] {
  return world.d1.statements.rows(
    `SELECT id, region, generation, exchange_version AS version, status, listing_state AS listingState,
            expires_at AS expiresAt, erased_at AS erasedAt, rescued_from_id AS rescuedFromId,
            frequency
     FROM leads WHERE source <> 'manual' ORDER BY id`,
    [],
  ) as LeadFacts[];
}

type PurchaseFacts = {
  id: string;
  leadId: string;
  buyerId: string;
  mode: string;
  amountCents: number;
  paymentStatus: string;
  removedAt: number | null;
};

export function purchasesOf(world: World): PurchaseFacts[] {
  return world.d1.statements.rows(
    `SELECT id, lead_id AS leadId, buyer_id AS buyerId, mode, amount_paid_cents AS amountCents,
            payment_status AS paymentStatus, removed_at AS removedAt
     FROM lead_purchases WHERE id <> 'pur_past0000'`,
    [],
  ) as PurchaseFacts[];
}

export type LedgerFacts = {
  id: string;
  holdId: string;
  leadId: string;
  buyerId: string;
  intentId: string | null;
  state: string;
  slot: number | null;
  amountCents: number;
  refundedCents: number;
};

export function ledgerOf(world: World): LedgerFacts[] {
  return world.d1.statements.rows(
    `SELECT id, hold_id AS holdId, lead_id AS leadId, buyer_id AS buyerId, stripe_payment_intent_id AS intentId,
            state, slot, amount_cents AS amountCents, refunded_cents AS refundedCents FROM payments`,
    [],
  ) as LedgerFacts[];
}

/** Returns the claim keys of holds, with their leads and times. */
export function usedKeys(world: World) {
  return world.d1.statements.rows(
    `SELECT buyer_id AS buyerId, claim_key AS key, lead_id AS leadId, created_at AS at
     FROM payments WHERE claim_key IS NOT NULL`,
    [],
  ) as { buyerId: string; key: string; leadId: string; at: number }[];
}

/** Returns whether a region is paused, according to D1 or its exchange. */
export function isPaused(world: World, region: string): boolean {
  const statements = world.exchanges.hosts.get(region)?.statements;
  return (
    world.d1.statements.rows("SELECT 1 FROM paused_regions WHERE region = ?", [region]).length > 0 ||
    (statements?.rows("SELECT 1 FROM meta WHERE key = 'paused'", []).length ?? 0) > 0
  );
}

/** Returns how often the audit log records a sale, claim or assignment of a lead. */
export function countSalesInLog(world: World, leadId: string): number {
  const [row] = world.d1.statements.rows(
    `SELECT count(*) AS n FROM audit_log
     WHERE subject_id = ? AND action IN ('lead.sold', 'lead.claimed', 'lead.assigned')`,
    [leadId],
  ) as { n: number }[];
  return row!.n;
}

/** Returns the valid sessions: not expired, of an active user whose team owner is active. */
export function liveSessions(world: World): Set<string> {
  const rows = world.d1.statements.rows(
    `SELECT sessions.id FROM sessions JOIN users ON users.id = sessions.user_id
     LEFT JOIN users AS owners ON owners.id = users.team_owner_id
     WHERE sessions.expires_at > ? AND users.is_active = 1 AND (users.team_owner_id IS NULL OR owners.is_active = 1)`,
    [world.scheduler.now],
  ) as { id: string }[];
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns whether a sweep would have nothing to do: no open payments or refunds, and nothing to list, erase
 * or send.
 */
export function isIdle(world: World): boolean {
  const [open] = world.d1.statements.rows(
    `SELECT EXISTS (SELECT 1 FROM payments WHERE state IN ('pending', 'processing', 'refund_pending') OR slot IS NOT NULL)
         OR EXISTS (SELECT 1 FROM leads WHERE listing_state = 'pending')
         OR EXISTS (SELECT 1 FROM operator_jobs WHERE state = 'waiting')
         OR EXISTS (SELECT 1 FROM paused_regions)
         OR EXISTS (SELECT 1 FROM lead_purchases WHERE clock_due_at <= ?1
           OR (clock_due_at IS NOT NULL AND call_clock ->> 'state' = 'rescued'))
         OR EXISTS (SELECT 1 FROM guarantee_cases WHERE due_at <= ?1)
         OR EXISTS (SELECT 1 FROM lead_purchases WHERE review_due_at <= ?1)
         OR EXISTS (SELECT 1 FROM request_links WHERE withdrawal_asked_at IS NOT NULL)
         OR (?2 AND EXISTS (SELECT 1 FROM messages WHERE state = 'waiting' AND (due <= ?1 OR recipient NOT LIKE 'psh_%')))
         OR EXISTS (SELECT 1 FROM free_claims WHERE used_at IS NOT NULL) AS isOpen`,
    [world.scheduler.now, Number(world.features.has("messages"))],
  ) as { isOpen: number }[];
  return open!.isOpen === 0 && allRecords(world).every(({ hold }) => hold === null);
}

/** Returns when a hold on a lead was announced to all browsers (true time). */
export function announcementTimes(world: World, leadId: string): number[] {
  return [...world.exchanges.hosts.values()].flatMap(({ statements, clockSkewMs }) => {
    const rows = statements.rows(
      "SELECT at FROM events WHERE json_extract(change, '$.kind') = 'held' AND json_extract(change, '$.leadId') = ?",
      [leadId],
    ) as { at: number }[];
    return rows.map(({ at }) => at - clockSkewMs);
  });
}
