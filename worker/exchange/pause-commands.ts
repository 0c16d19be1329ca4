import { eq, exists, notExists } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import { type Actor, auditWhen, SYSTEM_ACTOR } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { pausedRegions } from "../db/schema.ts";
import { exchangeOf } from "../durable-objects/stubs.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { listPaused } from "./queries.ts";

const rowOf = (db: Db, region: Region) =>
  db.select({ region: pausedRegions.region }).from(pausedRegions).where(eq(pausedRegions.region, region));

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

/**
 * Takes a region off the market for a while: nothing new is listed, held or sold there, and requests wait
 * as `pending`. Whoever is paying already may finish. Pausing twice keeps the first reason and time.
 * @param pause `by` is the admin, or null for an operator at the command line
 */
export async function pauseRegion(
  env: Env,
  region: Region,
  pause: { reason: string; by: Actor | null; now: number },
): Promise<void> {
  const db = database(env.DB);
  const { reason, by, now } = pause;
  const entry = { at: now, action: "region.pause", subjectType: "region", subjectId: region };
  await db.batch([
    auditWhen(db, notExists(rowOf(db, region)), by ?? SYSTEM_ACTOR, entry),
    db.insert(pausedRegions).values({ region, reason, since: now }).onConflictDoNothing(),
  ]);
  await tellExchange(env, region, true);
}

/** Opens a paused region again; the sweep lists what has waited. */
export async function resumeRegion(
  env: Env,
  region: Region,
  resume: { by: Actor | null; now: number },
): Promise<void> {
  const db = database(env.DB);
  const entry = { at: resume.now, action: "region.resume", subjectType: "region", subjectId: region };
  await db.batch([
    auditWhen(db, exists(rowOf(db, region)), resume.by ?? SYSTEM_ACTOR, entry),
    db.delete(pausedRegions).where(eq(pausedRegions.region, region)),
  ]);
  await tellExchange(env, region, false);
}

/**
 * Tells the exchanges of paused regions, should an operator have written the rows by hand. Those that
 * are opened again find out themselves.
 * @returns how many could not be told
 */
export async function sweepPauses(env: Env): Promise<{ failed: number }> {
  const rows = await listPaused(database(env.DB));
  const told = await Promise.all(rows.map(({ region }) => tellExchange(env, region, true)));
  return { failed: told.filter((isTold) => !isTold).length };
}
