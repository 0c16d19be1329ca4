import { eq } from "drizzle-orm";

import { type Region, REGIONS } from "../../contract/regions.ts";
import { type Actor, auditEntry, SYSTEM_ACTOR } from "../identity/audit/store.ts";
import type { Context } from "../platform/context.ts";
import { guardedBatch, ignoreIfChanged } from "../platform/db/guarded-batch.ts";
import { pausedRegions } from "./tables.ts";
import { isUniqueViolation } from "../platform/db/unique.ts";
import { log } from "../platform/log.ts";
import { exchangeOf } from "./exchange-calls.ts";
import { listPaused } from "./queries.ts";

type PausedRow = typeof pausedRegions.$inferSelect;

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
 * second pause keeps the first reason and time.
 * @param pause `by` is the admin, or null for an operator at the command line
 */
export async function pauseRegion(
  context: Context,
  region: Region,
  pause: { reason: string; by: Actor | null; now: number; requestId?: string },
): Promise<void> {
  const db = context.db;
  const { reason, by, now, requestId = null } = pause;
  const entry = { at: now, action: "region.pause", subjectType: "region", subjectId: region, requestId };
  try {
    await db.batch([
      db.insert(pausedRegions).values({ region, reason, since: now }),
      auditEntry(db, by ?? SYSTEM_ACTOR, entry),
    ]);
  } catch (error) {
    if (!isUniqueViolation(error, "paused_regions.region")) throw error;
  }
  const row = (await listPaused(db)).find((paused) => paused.region === region);
  if (row) await sendPause(context, row);
}

/**
 * Resumes a paused region. The sweep lists the pending leads.
 * @param resume as for `pauseRegion`
 * @throws the exchange's error. The region then stays paused, so try again
 */
export async function resumeRegion(
  context: Context,
  region: Region,
  resume: { by: Actor | null; now: number; requestId?: string },
): Promise<void> {
  const db = context.db;
  const { by, now, requestId = null } = resume;
  // Resume the exchange first: if that fails, admins still see the pause.
  await exchangeOf(context, region)!.resume(now);
  const entry = { at: now, action: "region.resume", subjectType: "region", subjectId: region, requestId };
  const where = eq(pausedRegions.region, region);
  const batch = guardedBatch(db, { from: pausedRegions, where }, [
    db.delete(pausedRegions).where(where),
    auditEntry(db, by ?? SYSTEM_ACTOR, entry),
  ]);
  await batch.catch(ignoreIfChanged);
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

/**
 * Releases every hold of a business, in every region, after its deactivation. Call it after clearing `is_active`, which
 * prevents new holds. A payment that could still succeed is cancelled before its lead returns to the market. A payment
 * that has succeeded becomes a sale.
 * @returns how many holds were released. Failed regions are logged. The sweep that runs each minute retries them.
 */
export async function releaseBusiness(context: Context, businessId: string): Promise<number> {
  // Call every region: any region may have a hold that is not in the ledger yet.
  const results = await Promise.allSettled(
    REGIONS.map(({ slug }) => exchangeOf(context, slug)!.releaseBusiness(businessId)),
  );
  let released = 0;
  for (const [i, result] of results.entries()) {
    if (result.status === "fulfilled") released += result.value;
    else log("warn", "release_left_to_lapse", { region: REGIONS[i]!.slug, error: result.reason });
  }
  return released;
}
