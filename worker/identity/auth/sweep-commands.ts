import { asc, inArray, lte, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type { Db } from "../../platform/db/client.ts";
import { challenges, emailLinks, passwordLinks, sessions, signIns } from "../../platform/db/schema.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { EndedSession } from "./commands.ts";
import { deleteOldFailures } from "./guess-commands.ts";

/** Maximum rows of each kind per run. The sweep runs every minute, so far fewer rows accumulate. */
const BATCH = 50;

/** Used links are stored this long, because they still limit how soon the user may request another. */
const USED_LINK_MS = HOUR_MS;

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

async function deleteLinks(
  db: Db,
  links: typeof passwordLinks | typeof emailLinks,
  now: number,
): Promise<number> {
  const { id, expiresAt, usedAt } = links;
  const over = db.select({ id }).from(links).where(lte(expiresAt, now)).limit(BATCH);
  const used = db
    .select({ id })
    .from(links)
    .where(lte(usedAt, now - USED_LINK_MS))
    .limit(BATCH);
  const deleted = await db.batch([
    db.delete(links).where(inArray(id, over)).returning({ id }),
    db.delete(links).where(inArray(id, used)).returning({ id }),
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

async function deleteChallenges(db: Db, now: number): Promise<number> {
  const { holder, purpose, expiresAt } = challenges;
  const over = sql`(${holder}, ${purpose}) IN (SELECT holder, purpose FROM ${challenges} WHERE expires_at <= ${now} LIMIT ${BATCH})`;
  return (await db.delete(challenges).where(over).returning({ expiresAt })).length;
}

/** Deletes expired sessions, links, challenges, and old sign-ins and failures, a bounded number at a time. */
export async function sweepAccess(
  context: Context,
  now: number,
): Promise<{ sessions: number; links: number; signIns: number; challenges: number; failures: number }> {
  const db = context.db;
  const ended = await deleteSessions(db, now);
  await closeSockets(context, ended);
  return {
    sessions: ended.length,
    links: (await deleteLinks(db, passwordLinks, now)) + (await deleteLinks(db, emailLinks, now)),
    signIns: await deleteSignIns(db, now),
    challenges: await deleteChallenges(db, now),
    failures: await deleteOldFailures(db, now),
  };
}
