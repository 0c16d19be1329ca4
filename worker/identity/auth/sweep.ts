import { asc, inArray, lte } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, signIns } from "../tables.ts";
import { sessions } from "../../platform/db/users.ts";
import type { EndedSession } from "./commands.ts";
import { deleteOldFailures } from "./guess-commands.ts";

/** Maximum rows of each kind per run. The sweep runs every minute, so far fewer rows accumulate. */
const BATCH = 50;

/** Secrets have more kinds: each page with a passkey leaves one. */
const SECRETS_BATCH = 200;

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
  const { id, expiresAt } = oneTimeSecrets;
  const over = db.select({ id }).from(oneTimeSecrets).where(lte(expiresAt, now)).limit(SECRETS_BATCH);
  return (await db.delete(oneTimeSecrets).where(inArray(id, over)).returning({ id })).length;
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
