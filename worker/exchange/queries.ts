import { eq, sql } from "drizzle-orm";

import type { LeadSummary } from "../../contract/leads.ts";
import type { Region } from "../../contract/regions.ts";
import type { Db } from "../db/client.ts";
import { leads, pausedRegions, payments } from "../db/schema.ts";
import { exchangeOf } from "./stub.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { inTime } from "../patience.ts";

/** A list of leads does not wait longer for one region's holds. */
export const HOLDS_PATIENCE_MS = 1_500;

/**
 * Regions in which somebody may be paying for a lead, as the ledger has it: a hold takes a slot there for as
 * long as it could be paid. Few rows, from an index that has no others.
 */
export async function listBusyRegions(db: Db): Promise<Set<Region>> {
  const rows = await db
    .selectDistinct({ region: payments.region })
    .from(payments)
    // The words of the partial index.
    .where(sql`slot IS NOT NULL`);
  return new Set(rows.map(({ region }) => region));
}

/**
 * Lays over which of these leads are being bought just now; only their exchanges know. A region that does not
 * answer leaves its leads as they are: a click on one of them is refused by the exchange itself.
 * @param busy where somebody may be paying: no other exchange is asked
 */
export async function withHolds(
  env: Env,
  leads: LeadSummary[],
  busy: ReadonlySet<string>,
): Promise<LeadSummary[]> {
  const regions = [...new Set(leads.map((lead) => lead.region))].filter((region) => busy.has(region));
  const answers = await Promise.allSettled(
    regions.map((region) => inTime(exchangeOf(env, region)!.listHolds(), HOLDS_PATIENCE_MS)),
  );
  const until = new Map<string, number>();
  for (const answer of answers) {
    if (answer.status === "rejected") {
      log("warn", "holds_unknown", { error: answer.reason });
    } else {
      for (const hold of answer.value) until.set(hold.leadId, hold.until);
    }
  }
  return leads.map((lead) => ({ ...lead, heldUntil: until.get(lead.id) ?? null }));
}

/** Regions that are off the market for a while. */
export function listPaused(db: Db): Promise<(typeof pausedRegions.$inferSelect)[]> {
  return db.select().from(pausedRegions);
}

/** Whether a region is off the market for a while. */
export async function isRegionPaused(db: Db, region: string): Promise<boolean> {
  const rows = await db
    .select({ region: pausedRegions.region })
    .from(pausedRegions)
    .where(eq(pausedRegions.region, region as Region));
  return rows.length > 0;
}

/** Where a lead is traded, as D1 has it; null for a lead it does not know. */
export async function regionOfLead(db: Db, leadId: string): Promise<Region | null> {
  const [lead] = await db.select({ region: leads.region }).from(leads).where(eq(leads.id, leadId));
  return lead?.region ?? null;
}
