import { and, asc, eq, max, min, notInArray, sql } from "drizzle-orm";

import type { Health } from "../../../contract/health.ts";
import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog, leads, pausedRegions } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { lookAtChannels } from "../../messages/watch-commands.ts";
import { inTime } from "../../platform/patience.ts";
import { SETTLED_MS } from "../relisting/commands.ts";
import { hasForgotten, type OfferSample, sampleOffers } from "../relisting/queries.ts";
import { healthOf, type Pause, type Seen } from "./rules.ts";

/** A dependency that has not responded after this long counts as unreachable. */
const PATIENCE_MS = 2_000;
const PROBE_PATIENCE_MS = 1_000;

async function timed<T>(work: PromiseLike<T>): Promise<{ value: T; ms: number }> {
  const started = Date.now();
  return { value: await inTime(work, PATIENCE_MS), ms: Date.now() - started };
}

/**
 * Returns when the oldest pending lead outside the paused regions was created (epoch ms). Also proves that D1
 * responds.
 */
async function oldestPending(db: Db): Promise<number | null> {
  const paused = db.select({ region: pausedRegions.region }).from(pausedRegions);
  const [row] = await db
    .select({ since: min(leads.createdAt) })
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

async function lookAtDatabase(context: Context, now: number) {
  try {
    const db = context.db;
    const looked = Promise.all([
      oldestPending(db),
      listPauses(db),
      sampleOffers(db, now - SETTLED_MS),
      lookAtChannels(context, now),
    ]);
    const { value, ms } = await timed(looked);
    const [pendingSince, pauses, offered, channels] = value;
    return { ms, pendingSince, pauses, offered, channels };
  } catch (error) {
    log("error", "health_database", { error });
    return null;
  }
}

async function lookAtExchange(context: Context, region: Region): Promise<Seen["exchanges"][number]> {
  try {
    const { value, ms } = await timed(exchangeOf(context, region)!.pulse());
    return { region, answer: { ms, outboxSince: value.outboxSince } };
  } catch (error) {
    log("error", "health_exchange", { region, error });
    return { region, answer: null };
  }
}

/**
 * Returns the regions where D1 offers a lead that the exchange does not know. An exchange that does not respond is
 * reported as unreachable instead.
 */
async function forgottenOf(context: Context, offered: OfferSample[]): Promise<Region[]> {
  const answers = await Promise.allSettled(
    offered.map((sample) => inTime(hasForgotten(context, sample), PROBE_PATIENCE_MS)),
  );
  return offered.flatMap(({ region }, i) => {
    const answer = answers[i]!;
    return answer.status === "fulfilled" && answer.value ? [region] : [];
  });
}

/** Checks all dependencies in parallel. Takes at most three seconds, even if no dependency responds. */
export async function lookAtHealth(context: Context, now: number): Promise<Health> {
  const [seen, ...exchanges] = await Promise.all([
    lookAtDatabase(context, now),
    ...REGION_SLUGS.map((region) => lookAtExchange(context, region)),
  ]);
  const { id, tag, timestamp } = context.VERSION;
  const version = { id, tag: tag || null, deployedAt: timestamp || null };
  const forgotten = await forgottenOf(context, seen?.offered ?? []);
  return healthOf({ version, database: seen, exchanges, forgotten }, now);
}
