import { and, eq, exists, gt, inArray, notExists, sql } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import { type Actor, auditWhen, SYSTEM_ACTOR } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { operatorJobs, pausedRegions } from "../db/schema.ts";
import { exchangeOf } from "./stub.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { isRegionPaused, listPaused } from "./queries.ts";

type PausedRow = typeof pausedRegions.$inferSelect;

const rowOf = (db: Db, region: Region) =>
  db.select({ region: pausedRegions.region }).from(pausedRegions).where(eq(pausedRegions.region, region));

/**
 * That no operator asked for something else of this region since: a job whose answer was lost runs again,
 * and by then a later word may have been carried out.
 */
function isLastWord(db: Db, region: Region, askedAt: number) {
  const later = db
    .select({ id: operatorJobs.id })
    .from(operatorJobs)
    .where(
      and(
        inArray(operatorJobs.state, ["waiting", "done"]),
        gt(operatorJobs.createdAt, askedAt),
        inArray(operatorJobs.kind, ["pause_region", "resume_region"]),
        sql`${operatorJobs.input} ->> 'region' = ${region}`,
      ),
    );
  return notExists(later);
}

/** Tells an exchange at once; should it not answer, the sweep makes up for it. @returns whether it heard */
async function tellExchange(env: Env, { region, reason, since }: PausedRow): Promise<boolean> {
  try {
    await exchangeOf(env, region)!.pause({ reason, at: since });
  } catch (error) {
    log("warn", "pause_left_to_sweep", { region, error });
    return false;
  }
  return true;
}

/**
 * Takes a region off the market for a while: nothing new is listed, held or sold there, and requests wait
 * as `pending`. Whoever is paying already may finish. The pause is the exchange's own from when it hears of it,
 * and it holds until it is resumed, even should D1 be restored to before. Pausing twice keeps the first reason and time; what
 * an operator asked for later stays as it is.
 * @param pause `by` is the admin, or null for an operator at the command line; `askedAt` in epoch ms, now
 *   when left out
 * @returns whether the region is paused
 */
export async function pauseRegion(
  env: Env,
  region: Region,
  pause: { reason: string; by: Actor | null; now: number; askedAt?: number; requestId?: string },
): Promise<boolean> {
  const db = database(env.DB);
  const { reason, by, now, askedAt = now, requestId = null } = pause;
  const isLast = isLastWord(db, region, askedAt);
  const entry = { at: now, action: "region.pause", subjectType: "region", subjectId: region, requestId };
  await db.batch([
    auditWhen(db, and(notExists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db
      .insert(pausedRegions)
      .select(sql`SELECT ${region}, ${reason}, ${askedAt} WHERE ${isLast}`)
      .onConflictDoNothing(),
  ]);
  const row = (await listPaused(db)).find((paused) => paused.region === region);
  if (row) await tellExchange(env, row);
  return row !== undefined;
}

/**
 * Opens a paused region again, unless an operator asked for something else later; the sweep lists what has
 * waited.
 * @param resume as of `pauseRegion`
 * @returns whether the region is open
 * @throws the exchange's error: it is paused until it hears of this, so try again
 */
export async function resumeRegion(
  env: Env,
  region: Region,
  resume: { by: Actor | null; now: number; askedAt?: number; requestId?: string },
): Promise<boolean> {
  const db = database(env.DB);
  const { by, now, askedAt = now, requestId = null } = resume;
  const isLast = isLastWord(db, region, askedAt);
  const [last] = await db.all<{ isLast: number }>(sql`SELECT ${isLast} AS "isLast"`);
  // The exchange first: it would tell D1 of its pause again.
  if (!last!.isLast || (await exchangeOf(env, region)!.resume(askedAt)))
    return !(await isRegionPaused(db, region));
  const entry = { at: now, action: "region.resume", subjectType: "region", subjectId: region, requestId };
  await db.batch([
    auditWhen(db, and(exists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db.delete(pausedRegions).where(and(eq(pausedRegions.region, region), isLast)),
  ]);
  return !(await isRegionPaused(db, region));
}

/**
 * Tells the exchanges of paused regions, should one not have heard of it, or have lost its storage since.
 * @returns how many could not be told
 */
export async function sweepPauses(env: Env): Promise<{ failed: number }> {
  const rows = await listPaused(database(env.DB));
  const answers = await Promise.all(rows.map((row) => tellExchange(env, row)));
  return { failed: answers.filter((hasHeard) => !hasHeard).length };
}
