import { and, eq, exists, gt, inArray, notExists, sql } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import { type Actor, auditWhen, SYSTEM_ACTOR } from "../identity/audit/commands.ts";
import type { Db } from "../platform/db/client.ts";
import { operatorJobs, pausedRegions } from "../platform/db/schema.ts";
import { exchangeOf } from "./stub.ts";
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import { isRegionPaused, listPaused } from "./queries.ts";

type PausedRow = typeof pausedRegions.$inferSelect;

const rowOf = (db: Db, region: Region) =>
  db.select({ region: pausedRegions.region }).from(pausedRegions).where(eq(pausedRegions.region, region));

/**
 * SQL: whether no operator made a later request for this region. A job runs again if its result was lost, and a later
 * job may have run before that.
 */
function isLatestRequest(db: Db, region: Region, requestedAt: number) {
  const later = db
    .select({ id: operatorJobs.id })
    .from(operatorJobs)
    .where(
      and(
        inArray(operatorJobs.state, ["waiting", "done"]),
        gt(operatorJobs.createdAt, requestedAt),
        eq(operatorJobs.kind, "region"),
        sql`${operatorJobs.input} ->> 'region' = ${region}`,
      ),
    );
  return notExists(later);
}

/** Sends a pause to its exchange. If the call fails, the sweep retries. @returns whether the call succeeded */
async function sendPause(context: Context, { region, reason, since }: PausedRow): Promise<boolean> {
  try {
    await exchangeOf(context, region)!.pause({ reason, at: since });
  } catch (error) {
    log("warn", "pause_left_to_sweep", { region, error });
    return false;
  }
  return true;
}

/**
 * Pauses a region: nothing new is listed, held or sold there, and requests stay `pending`. A business that is already
 * paying may complete its purchase. The exchange keeps the pause until the region is resumed, even if D1 loses it. A
 * second pause keeps the first reason and time. A pause never overrides an operator's later request.
 * @param pause `by` is the admin, or null for an operator at the command line; `askedAt` is in epoch ms and defaults to
 *   `now`
 * @returns whether the region is paused
 */
export async function pauseRegion(
  context: Context,
  region: Region,
  pause: { reason: string; by: Actor | null; now: number; askedAt?: number; requestId?: string },
): Promise<boolean> {
  const db = context.db;
  const { reason, by, now, askedAt: requestedAt = now, requestId = null } = pause;
  const isLast = isLatestRequest(db, region, requestedAt);
  const entry = { at: now, action: "region.pause", subjectType: "region", subjectId: region, requestId };
  await db.batch([
    auditWhen(db, and(notExists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db
      .insert(pausedRegions)
      .select(sql`SELECT ${region}, ${reason}, ${requestedAt} WHERE ${isLast}`)
      .onConflictDoNothing(),
  ]);
  const row = (await listPaused(db)).find((paused) => paused.region === region);
  if (row) await sendPause(context, row);
  return row !== undefined;
}

/**
 * Resumes a paused region, unless an operator made a later request. The sweep lists the pending leads.
 * @param resume as for `pauseRegion`
 * @returns whether the region is open
 * @throws the exchange's error. The region then stays paused, so try again
 */
export async function resumeRegion(
  context: Context,
  region: Region,
  resume: { by: Actor | null; now: number; askedAt?: number; requestId?: string },
): Promise<boolean> {
  const db = context.db;
  const { by, now, askedAt: requestedAt = now, requestId = null } = resume;
  const isLast = isLatestRequest(db, region, requestedAt);
  const [last] = await db.all<{ isLast: number }>(sql`SELECT ${isLast} AS "isLast"`);
  // Resume the exchange first: otherwise a reconciliation would store its pause in D1 again.
  if (!last!.isLast || (await exchangeOf(context, region)!.resume(requestedAt)))
    return !(await isRegionPaused(db, region));
  const entry = { at: now, action: "region.resume", subjectType: "region", subjectId: region, requestId };
  await db.batch([
    auditWhen(db, and(exists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db.delete(pausedRegions).where(and(eq(pausedRegions.region, region), isLast)),
  ]);
  return !(await isRegionPaused(db, region));
}

/**
 * Sends every pause to its exchange again, in case the exchange missed it or lost its storage.
 * @returns how many calls failed
 */
export async function sweepPauses(context: Context): Promise<{ failed: number }> {
  const rows = await listPaused(context.db);
  const results = await Promise.all(rows.map((row) => sendPause(context, row)));
  return { failed: results.filter((isSent) => !isSent).length };
}
