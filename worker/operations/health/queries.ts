import { and, asc, eq, max, min, notInArray, sql } from "drizzle-orm";

import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { Health, PartHealth } from "../../../contract/health.ts";
import { type Region, REGION_SLUGS } from "../../../contract/regions.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import { findOldestDue } from "../../outbox/channel-queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { pausedRegions } from "../../exchange/tables.ts";
import { auditLog } from "../../identity/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { hasLostLead, type OfferSample, sampleOffers } from "../reconciliation/lost-lead-store.ts";

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

/** A paused region. `isByAdmin`: whether an admin paused it, rather than a restore or an operator's command. */
type Pause = { region: Region; since: number; isByAdmin: boolean };

/** Results of the checks. Null means that there was no response in time. Times are epoch ms. */
type CheckResults = {
  version: Health["version"];
  database: {
    ms: number;
    pendingSince: number | null;
    messageDueSince: number | null;
    pauses: Pause[];
  } | null;
  exchanges: { region: Region; response: { ms: number; outboxSince: number | null } | null }[];
  /** Regions where D1 offers a lead that the exchange does not know. */
  forgotten: Region[];
};

/** The outbox retries for some minutes on its own. After this long a person should check. */
const MAX_OUTBOX_AGE_MS = 10 * MINUTE_MS;

/** Maximum age of a pending lead. The sweep that lists pending leads runs every minute. */
const MAX_PENDING_MS = 5 * MINUTE_MS;

/** Maximum age of a due message: the sweep runs every minute, and messages stay in the queue for two at most. */
const MAX_MESSAGE_AGE_MS = 10 * MINUTE_MS;

/** Maximum pause by an operator's command. A restore takes minutes, so a longer pause is a fault. */
const MAX_COMMAND_PAUSE_MS = HOUR_MS;

const since = (time: number | null, now: number) => (time === null ? 0 : Math.max(0, now - time));

function healthOf(checked: CheckResults, now: number): Health {
  const isD1Known = checked.database !== null;
  const ifKnown = <Value>(value: Value) => (isD1Known ? value : null);
  const stateOf = (isOk: boolean): PartHealth => (isD1Known ? isOk : "unknown");
  const responses = checked.exchanges.flatMap(({ response }) => response ?? []);
  const unreachable = checked.exchanges
    .filter(({ response }) => response === null)
    .map(({ region }) => region);
  const oldestOutbox = Math.max(0, ...responses.map(({ outboxSince }) => since(outboxSince, now)));
  const oldestPending = since(checked.database?.pendingSince ?? null, now);
  const pauses = checked.database?.pauses ?? [];
  const oldestMessage = since(checked.database?.messageDueSince ?? null, now);
  const parts = {
    database: { ok: checked.database !== null, ms: checked.database?.ms ?? 0 },
    exchanges: {
      ok: unreachable.length === 0,
      unreachable,
      slowestMs: Math.max(0, ...responses.map(({ ms }) => ms)),
    },
    market: { ok: stateOf(checked.forgotten.length === 0), forgotten: checked.forgotten },
    // The exchanges know how old their entries are, but not whether D1 takes them.
    outbox: {
      ok: oldestOutbox <= MAX_OUTBOX_AGE_MS && stateOf(true),
      oldestMs: responses.length > 0 ? oldestOutbox : null,
    },
    pending: { ok: stateOf(oldestPending <= MAX_PENDING_MS), oldestMs: ifKnown(oldestPending) },
    pauses: {
      ok: stateOf(
        pauses.every((pause) => pause.isByAdmin || since(pause.since, now) <= MAX_COMMAND_PAUSE_MS),
      ),
      regions: pauses.map((pause) => ({ region: pause.region, forMs: since(pause.since, now) })),
    },
    messages: { ok: stateOf(oldestMessage <= MAX_MESSAGE_AGE_MS), oldestMs: ifKnown(oldestMessage) },
  };
  return { ok: Object.values(parts).every(({ ok }) => ok === true), version: checked.version, ...parts };
}
