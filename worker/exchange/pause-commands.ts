import { and, eq, exists, gt, inArray, notExists, sql } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import { type Actor, auditWhen, SYSTEM_ACTOR } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { operatorJobs, pausedRegions } from "../db/schema.ts";
import { exchangeOf } from "./stub.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { isRegionPaused, listPaused } from "./queries.ts";

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

/** Tells an exchange at once; should it not answer, the sweep or its own alarm makes up for it. @returns whether it heard */
async function tellExchange(env: Env, region: Region, isPaused: boolean): Promise<boolean> {
  try {
    await exchangeOf(env, region)!.setPaused(isPaused);
  } catch (error) {
    log("warn", "pause_left_to_sweep", { region, error });
    return false;
  }
  return true;
}

/** Tells an exchange what D1 says by now. @returns whether its region is paused */
async function tellOutcome(env: Env, region: Region): Promise<boolean> {
  const isPaused = await isRegionPaused(database(env.DB), region);
  await tellExchange(env, region, isPaused);
  return isPaused;
}

/**
 * Takes a region off the market for a while: nothing new is listed, held or sold there, and requests wait
 * as `pending`. Whoever is paying already may finish. Pausing twice keeps the first reason and time; what
 * an operator asked for later stays as it is.
 * @param pause `by` is the admin, or null for an operator at the command line; `askedAt` in epoch ms, now
 *   when left out
 * @returns whether the region is paused
 */
export async function pauseRegion(
  env: Env,
  region: Region,
  pause: { reason: string; by: Actor | null; now: number; askedAt?: number },
): Promise<boolean> {
  const db = database(env.DB);
  const { reason, by, now, askedAt = now } = pause;
  const isLast = isLastWord(db, region, askedAt);
  const entry = { at: now, action: "region.pause", subjectType: "region", subjectId: region };
  await db.batch([
    auditWhen(db, and(notExists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db
      .insert(pausedRegions)
      .select(sql`SELECT ${region}, ${reason}, ${now} WHERE ${isLast}`)
      .onConflictDoNothing(),
  ]);
  return tellOutcome(env, region);
}

/**
 * Opens a paused region again, unless an operator asked for something else later; the sweep lists what has
 * waited.
 * @param resume as of `pauseRegion`
 * @returns whether the region is open
 */
export async function resumeRegion(
  env: Env,
  region: Region,
  resume: { by: Actor | null; now: number; askedAt?: number },
): Promise<boolean> {
  const db = database(env.DB);
  const { by, now, askedAt = now } = resume;
  const isLast = isLastWord(db, region, askedAt);
  const entry = { at: now, action: "region.resume", subjectType: "region", subjectId: region };
  await db.batch([
    auditWhen(db, and(exists(rowOf(db, region)), isLast)!, by ?? SYSTEM_ACTOR, entry),
    db.delete(pausedRegions).where(and(eq(pausedRegions.region, region), isLast)),
  ]);
  return !(await tellOutcome(env, region));
}

/**
 * Tells the exchanges of paused regions, should an operator have written the rows by hand. Those that
 * are opened again find out themselves.
 * @returns how many could not be told
 */
export async function sweepPauses(env: Env): Promise<{ failed: number }> {
  const rows = await listPaused(database(env.DB));
  const answers = await Promise.all(rows.map(({ region }) => tellExchange(env, region, true)));
  return { failed: answers.filter((hasHeard) => !hasHeard).length };
}
