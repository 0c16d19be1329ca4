import { eq } from "drizzle-orm";

import type { LeadSummary } from "../../contract/leads.ts";
import type { Region } from "../../contract/regions.ts";
import type { Db } from "../db/client.ts";
import { pausedRegions } from "../db/schema.ts";
import { exchangeOf } from "./stub.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { inTime } from "../patience.ts";

/** A list of leads does not wait longer for one region's holds. */
export const HOLDS_PATIENCE_MS = 1_500;

/**
 * Lays over which of these leads are being bought just now; D1 does not know. A region that does not
 * answer leaves its leads as they are: a click on one of them is refused by the exchange itself.
 */
export async function withHolds(env: Env, leads: LeadSummary[]): Promise<LeadSummary[]> {
  const regions = [...new Set(leads.map((lead) => lead.region))];
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
