/** Ends checks after their last day, reminds businesses before it, and deletes files that are no longer needed. */

import { and, eq, inArray, isNotNull, isNull, lt, lte, or } from "drizzle-orm";

import { CHECK_REMINDER_DAYS } from "../../../contract/checks.ts";
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { addDays, sydneyDay } from "../../../contract/sydney-time.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, ignoreIfChanged } from "../../platform/db/guarded-batch.ts";
import { providerChecks } from "../tables.ts";
import { deleteFiles, type FileKey } from "../../platform/files.ts";
import { auditEntry, SYSTEM_ACTOR } from "../audit/store.ts";
import { expireLinkingPages } from "../providers/commands.ts";
import { refreshVerified } from "./commands.ts";
import { enqueueCheckEmail } from "./messages.ts";

const MAX_BATCH_SIZE = 50;

/** An upload takes minutes at most. A file is kept at least this long, so that the sweep deletes none during one. */
const MIN_FILE_AGE_MS = HOUR_MS;

const [FIRST_REMINDER_DAYS, LAST_REMINDER_DAYS] = CHECK_REMINDER_DAYS;

/** After a reminder within this time, the last one is not due yet. Longer than the last reminder's days. */
const REMINDER_GAP_MS = (LAST_REMINDER_DAYS + 1) * DAY_MS;

const isValid = eq(providerChecks.state, "valid");

/** Ends the checks whose last day has passed in Sydney. @returns how many */
async function endChecks(context: Context, now: number): Promise<number> {
  const db = context.db;
  const isOver = and(isValid, lt(providerChecks.endsOn, sydneyDay(now)));
  const rows = await db
    .select({ id: providerChecks.id, businessId: providerChecks.businessId })
    .from(providerChecks)
    .where(isOver)
    .limit(MAX_BATCH_SIZE);
  for (const { id, businessId } of rows) {
    const ofCheck = eq(providerChecks.id, id);
    const batch = guardedBatch(db, { from: providerChecks, where: and(ofCheck, isOver) }, [
      auditEntry(db, SYSTEM_ACTOR, {
        at: now,
        action: "check.end",
        subjectType: "check",
        subjectId: id,
        before: { state: "valid" },
        after: { state: "ended", businessId },
      }),
      ...enqueueCheckEmail(context, id, { news: "ended", key: "end" }, now),
      db.update(providerChecks).set({ state: "ended" }).where(ofCheck),
      refreshVerified(db, businessId, now),
    ]);
    await batch.catch(ignoreIfChanged);
    const { siteUrl } = context.settings;
    if (siteUrl) await expireLinkingPages(db, siteUrl, businessId);
  }
  return rows.length;
}

/** Reminds businesses of checks that end soon. @returns how many */
async function remind(context: Context, now: number): Promise<number> {
  if (!canSendEmail(context)) return 0;
  const db = context.db;
  const today = sydneyDay(now);
  const isDue = and(
    isValid,
    lte(providerChecks.endsOn, addDays(today, FIRST_REMINDER_DAYS)),
    or(
      isNull(providerChecks.remindedAt),
      and(
        lte(providerChecks.endsOn, addDays(today, LAST_REMINDER_DAYS)),
        lt(providerChecks.remindedAt, now - REMINDER_GAP_MS),
      ),
    ),
  );
  const rows = await db
    .select({ id: providerChecks.id })
    .from(providerChecks)
    .where(isDue)
    .limit(MAX_BATCH_SIZE);
  for (const { id } of rows)
    await db.batch([
      ...enqueueCheckEmail(context, id, { news: "ending", key: today }, now),
      db.update(providerChecks).set({ remindedAt: now }).where(eq(providerChecks.id, id)),
    ] as never);
  return rows.length;
}

/** Deletes the files of declined, ended and unused checks, and then the unused checks. @returns how many files */
async function deleteUnneeded(db: Db, files: R2Bucket, now: number): Promise<number> {
  const isOld = lt(providerChecks.createdAt, now - MIN_FILE_AGE_MS);
  const isUnneeded = inArray(providerChecks.state, ["refused", "ended", "unused"]);
  const rows = await db
    .select({ id: providerChecks.id, key: providerChecks.fileKey })
    .from(providerChecks)
    .where(and(isNotNull(providerChecks.fileKey), isUnneeded, isOld))
    .limit(MAX_BATCH_SIZE);
  if (rows.length > 0) {
    await deleteFiles(
      files,
      rows.map(({ key }) => key as FileKey),
    );
    const ids = rows.map(({ id }) => id);
    await db
      .update(providerChecks)
      .set({ fileKey: null, fileType: null, fileBytes: null })
      .where(inArray(providerChecks.id, ids));
  }
  await db
    .delete(providerChecks)
    .where(and(eq(providerChecks.state, "unused"), isOld, isNull(providerChecks.fileKey)));
  return rows.length;
}

/** Runs every minute. @returns how many checks ended, reminders were enqueued and files were deleted */
export async function sweepChecks(
  context: Context,
  now: number,
): Promise<{ ended: number; reminded: number; deleted: number }> {
  return {
    ended: await endChecks(context, now),
    reminded: await remind(context, now),
    deleted: await deleteUnneeded(context.db, context.FILES, now),
  };
}
