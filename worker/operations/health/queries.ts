import { and, asc, eq, max, min, notInArray, sql } from "drizzle-orm";

import type { Health } from "../../../contract/health.ts";
import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog, leads, pausedRegions } from "../../platform/db/schema.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { findOldestDue } from "../../outbox/channel-queries.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { hasLostLead, type OfferSample, sampleOffers } from "../reconciliation/lost-leads-queries.ts";
import { healthOf, type Pause, type CheckResults } from "./rules.ts";

/** A dependency that has not responded after this long counts as unreachable. */
const TIMEOUT_MS = 2_000;
const PROBE_TIMEOUT_MS = 1_000;

async function timed<T>(work: PromiseLike<T>): Promise<{ value: T; ms: number }> {
  const started = Date.now();
  return { value: await withTimeout(work, TIMEOUT_MS), ms: Date.now() - started };
}

/**
 * Returns since when the oldest lead outside the paused regions waits to be listed (epoch ms). A rescued lead stays
 * pending while it is offered to one business, whose hold may outlive the offer. Also proves that D1 responds.
 */
async function oldestPending(db: Db): Promise<number | null> {
  const paused = db.select({ region: pausedRegions.region }).from(pausedRegions);
  const offersEnd = sql`(SELECT max(ends_at) + ${HOLD_MS} FROM rescue_offers WHERE lead_id = ${leads.id})`;
  const [row] = await db
    .select({ since: min(sql`coalesce(${offersEnd}, ${leads.createdAt})`).mapWith(Number) })
    .from(leads)
    .where(and(sql`${leads.listingState} = 'pending'`, notInArray(leads.region, paused)));
  return row?.since ?? null;
}

/** Returns the paused regions. The audit log shows whether an admin paused each region. */
function listPauses(db: Db): Promise<Pause[]> {
  const lastPause = db
    .select({ id: max(auditLog.id) })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, pausedRegions.region), eq(auditLog.action, "region.pause")));
  return db
    .select({
      region: pausedRegions.region,
      since: pausedRegions.since,
      isByAdmin: sql`${auditLog.actorUserId} IS NOT NULL`.mapWith(Boolean),
    })
    .from(pausedRegions)
    .leftJoin(auditLog, eq(auditLog.id, lastPause))
    .orderBy(asc(pausedRegions.since));
}

async function checkDatabase(context: Context, now: number) {
  try {
    const db = context.db;
    const checks = Promise.all([
      oldestPending(db),
      listPauses(db),
      sampleOffers(db),
      findOldestDue(context, now),
    ]);
    const { value, ms } = await timed(checks);
    const [pendingSince, pauses, offered, messageDueSince] = value;
    return { ms, pendingSince, pauses, offered, messageDueSince };
  } catch (error) {
    log("error", "health_database", { error });
    return null;
  }
}

async function checkExchange(context: Context, region: Region): Promise<CheckResults["exchanges"][number]> {
  try {
    const { value, ms } = await timed(exchangeOf(context, region)!.outboxSince());
    return { region, response: { ms, outboxSince: value } };
  } catch (error) {
    log("error", "health_exchange", { region, error });
    return { region, response: null };
  }
}

/**
 * Returns the regions where D1 offers a lead that the exchange does not know. An exchange that does not respond is
 * reported as unreachable instead.
 */
async function findRegionsWithLostLeads(context: Context, offered: OfferSample[]): Promise<Region[]> {
  const results = await Promise.allSettled(
    offered.map((sample) => withTimeout(hasLostLead(context, sample), PROBE_TIMEOUT_MS)),
  );
  return offered.flatMap(({ region }, i) => {
    const result = results[i]!;
    return result.status === "fulfilled" && result.value ? [region] : [];
  });
}

/** Checks all dependencies in parallel. Takes at most three seconds, even if no dependency responds. */
export async function checkHealth(context: Context, now: number): Promise<Health> {
  const [databaseResult, ...exchanges] = await Promise.all([
    checkDatabase(context, now),
    ...REGION_SLUGS.map((region) => checkExchange(context, region)),
  ]);
  const { id, tag, timestamp } = context.VERSION;
  const version = { id, tag: tag || null, deployedAt: timestamp || null };
  const forgotten = await findRegionsWithLostLeads(context, databaseResult?.offered ?? []);
  return healthOf({ version, database: databaseResult, exchanges, forgotten }, now);
}
