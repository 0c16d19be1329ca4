import { and, eq, isNull, sql } from "drizzle-orm";

import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { countMentions } from "../../../contract/mentions.ts";
import { isolate } from "../../../contract/names.ts";
import { findTeamAlerts, listTeammates } from "../../identity/team/store.ts";
import { findTeamPurchase } from "../../leads/message-queries.ts";
import { factsOf, pipelineLink, replacing } from "../../leads/message-words.ts";
import { hasRecentAlert, toDevices } from "../../outbox/commands.ts";
import { pushMessage, UNWANTED } from "../../outbox/message.ts";
import type { Db } from "../../platform/db/client.ts";
import { pushDevices } from "../../platform/db/messages.ts";
import { users } from "../../platform/db/users.ts";

/** A device gets one alert about a lead's notes in this time. */
const WINDOW_MS = 10 * MINUTE_MS;

/** The users to alert about a mention, and when. */
export type Mentions = {
  purchaseId: string;
  leadId: string;
  byUserId: string;
  people: { id: string; due: number; expiresAt: number }[];
};

/** Returns the first name of a note's author; null if the author has left. */
async function findAuthor(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ firstName: users.firstName })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removedAt)));
  return row?.firstName ?? null;
}

export const mentioned = pushMessage({
  name: "mentioned",
  reason: "A member of the business wrote their name in a lead's notes.",
  lifetimeMs: 12 * HOUR_MS,
  to: ({ people, at, ...mention }: Mentions & { at: number }) => ({
    ...toDevices(
      sql`NOT ${hasRecentAlert("mentioned", sql`${mention.leadId}`, at - WINDOW_MS)}`,
      sql`json_each(${JSON.stringify(people)}) AS person
        JOIN ${pushDevices} ON ${pushDevices.userId} = person.value ->> 'id'`,
    ),
    payload: mention,
    due: sql`person.value ->> 'due'`,
    expiresAt: sql`person.value ->> 'expiresAt'`,
  }),
  key: ({ purchaseId, at }) => `${purchaseId}:${at}`,
  waitsForQuietHours: true,
  load: async (loading) => {
    const { db, message, recipient } = loading;
    const { userId, isTeam } = recipient;
    const found = await findTeamPurchase(loading);
    // No other user decides about an owner's alerts.
    if (!found || (isTeam && !(await findTeamAlerts(db, userId)).mentions)) return UNWANTED;
    // The notes must still contain the mention.
    const mentions = countMentions(found.purchase.salesNotes ?? "", await listTeammates(db, recipient));
    if (!mentions.has(userId)) return UNWANTED;
    return { ...found.shown, by: await findAuthor(db, message.payload.byUserId ?? "") };
  },
  push: ({ summary, by, purchaseId, tab, origin }) => ({
    title: `${by === null ? "Someone on your team" : isolate(by)} mentioned you in a note`,
    body: factsOf(summary),
    navigate: pipelineLink(origin, purchaseId, tab),
    ...replacing(`mention-${purchaseId}`, "normal"),
  }),
});
