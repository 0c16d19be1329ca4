import { asc, inArray, lte, type SQL } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, sessions, signIns } from "../../platform/db/schema.ts";
import type { EndedSession } from "./commands.ts";
import { deleteOldFailures } from "./guess-commands.ts";

/** Maximum rows of each kind per run. The sweep runs every minute, so far fewer rows accumulate. */
const BATCH = 50;

/** Secrets have more kinds: each page with a passkey leaves one. */
const SECRETS_BATCH = 200;

/** Used links are stored this long, because they still limit how soon the user may request another. */
const USED_SECRET_MS = HOUR_MS;

function deleteSessions(db: Db, now: number): Promise<EndedSession[]> {
  const over = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lte(sessions.expiresAt, now))
    .orderBy(asc(sessions.expiresAt))
    .limit(BATCH);
  return db
    .delete(sessions)
    .where(inArray(sessions.id, over))
    .returning({ id: sessions.id, userId: sessions.userId });
}

async function deleteSecrets(db: Db, now: number): Promise<number> {
  const { id, expiresAt, usedAt } = oneTimeSecrets;
  const deleteWhere = (isOver: SQL) => {
    const over = db.select({ id }).from(oneTimeSecrets).where(isOver).limit(SECRETS_BATCH);
    return db.delete(oneTimeSecrets).where(inArray(id, over)).returning({ id });
  };
  const deleted = await db.batch([
    deleteWhere(lte(expiresAt, now)),
    deleteWhere(lte(usedAt, now - USED_SECRET_MS)),
  ]);
  return deleted.flat().length;
}

/** Sign-ins stay in the account's list for this long. */
const SIGN_INS_MS = 90 * DAY_MS;

async function deleteSignIns(db: Db, now: number): Promise<number> {
  const { id, at } = signIns;
  const old = db
    .select({ id })
    .from(signIns)
    .where(lte(at, now - SIGN_INS_MS))
    .limit(BATCH);
  return (await db.delete(signIns).where(inArray(id, old)).returning({ id })).length;
}

/** Deletes expired sessions and one-time secrets, and old sign-ins and failures, a bounded number at a time. */
export async function sweepAccess(
  context: Context,
  now: number,
): Promise<{ sessions: number; secrets: number; signIns: number; failures: number }> {
  const db = context.db;
  const ended = await deleteSessions(db, now);
  await closeSockets(context, ended);
  return {
    sessions: ended.length,
    secrets: await deleteSecrets(db, now),
    signIns: await deleteSignIns(db, now),
    failures: await deleteOldFailures(db, now),
  };
}
