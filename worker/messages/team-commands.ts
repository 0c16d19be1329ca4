/**
 * The statements that note what people of a business are to hear of its leads, each for the batch of the change that
 * causes it, and what their owner has them told of.
 */
import { and, eq, exists, inArray, type SQL, sql } from "drizzle-orm";

import { newlyMentioned } from "../../contract/mentions.ts";
import type { TeamAlerts } from "../../contract/team.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { Db } from "../db/client.ts";
import { leadPurchases, messages, pushDevices, teamAlerts, users } from "../db/schema.ts";
import type { Sale } from "../exchange/listing.ts";
import { columnsOf, idSql } from "./own-lead-commands.ts";
import { rowColumns } from "./outbox-commands.ts";
import { endOfQuiet } from "./quiet-rules.ts";
import { listMates, listMentionable } from "./team-queries.ts";
import { RULES } from "./templates.ts";

/** Notes save themselves while somebody writes: what is said of them waits until a name is likely to be finished. */
const SETTLED_IN_MS = 30_000;

/** The purchase whose notes are saved, as it stands before that. */
type Before = { id: string; leadId: string; salesNotes: string | null };

/** Whether a device waits to be told, or was lately, that somebody mentioned its person in these notes. */
const wasTold = (leadId: string, now: number) => sql`EXISTS (SELECT 1 FROM ${messages} AS told
  WHERE told.recipient = ${pushDevices.id} AND told.template = 'mentioned' AND told.lead_id = ${leadId}
    AND (told.state = 'waiting' OR (told.state = 'sent' AND told.tried_at > ${now - RULES.mentioned.windowMs})))`;

/** Who is to be told that notes mention them, and when. */
export type Mentions = {
  purchaseId: string;
  leadId: string;
  byUserId: string;
  people: { id: string; due: number; expiresAt: number }[];
};

/**
 * Whom notes mention that those before them did not. Never the writer, and nobody of another business.
 * @param before the purchase as it was read; notes with a version are saved only while it is that one
 * @returns null when nobody is to be told
 */
export async function findMentions(
  db: Db,
  scope: BusinessScope,
  before: Before,
  notes: string,
  now: number,
): Promise<Mentions | null> {
  const mates = await listMates(db, scope);
  const added = newlyMentioned(before.salesNotes ?? "", notes, mates).filter((id) => id !== scope.userId);
  if (added.length === 0) return null;
  const people = (await listMentionable(db, added)).map(({ id, hours }) => {
    const due = endOfQuiet(now, hours) ?? now + SETTLED_IN_MS;
    return { id, due, expiresAt: due + RULES.mentioned.lifetimeMs };
  });
  return { purchaseId: before.id, leadId: before.leadId, byUserId: scope.userId, people };
}

/**
 * The statement that notes those mentions for each device, for the batch that saves the notes; it goes before the
 * statement that does.
 * @param mine what is so of the purchase if the notes are to be saved
 */
export function noteMentions(db: Db, { people, ...about }: Mentions, mine: SQL | undefined, now: number) {
  const { purchaseId, leadId } = about;
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: idSql,
            dedupeKey: sql`${`mentioned:${purchaseId}:${now}:`} || ${pushDevices.id}`,
            channel: "push",
            template: "mentioned",
            recipient: sql`${pushDevices.id}`,
            userId: sql`${pushDevices.userId}`,
            leadId: sql`${leadId}`,
            payload: sql`${JSON.stringify(about)}`,
            due: sql`person.value ->> 'due'`,
            expiresAt: sql`person.value ->> 'expiresAt'`,
            createdAt: sql`${now}`,
          }),
        )
        .from(sql`json_each(${JSON.stringify(people)}) AS person`)
        .innerJoin(pushDevices, eq(pushDevices.userId, sql`person.value ->> 'id'`))
        .where(
          and(
            exists(db.select({ id: leadPurchases.id }).from(leadPurchases).where(mine)),
            sql`NOT ${wasTold(leadId, now)}`,
          ),
        ),
    )
    .onConflictDoNothing();
}

/**
 * Notes for the team that their business got a lead: for those whom their owner wants told.
 * @param when what must be so before the sale is written
 */
export function noteTeamSale(
  db: Db,
  { leadId, sale, when }: { leadId: string; sale: Sale; when: SQL },
  now: number,
) {
  const { purchaseId, businessId, soldAt } = sale;
  const expiresAt = soldAt + RULES.team_sale.lifetimeMs;
  const where = and(
    eq(users.teamOwnerId, businessId),
    eq(users.isActive, true),
    // Asked of each member: as a join, SQLite would rather go through what all owners chose.
    sql`(SELECT ${teamAlerts.sales} FROM ${teamAlerts} WHERE ${teamAlerts.userId} = ${users.id}) = 1`,
    sql`${expiresAt} > ${now}`,
    when,
  )!;
  const payload = { leadId, purchaseId };
  const note = {
    template: "team_sale",
    key: purchaseId,
    leadId,
    payload,
    due: now,
    expiresAt,
    where,
  } as const;
  return db
    .insert(messages)
    .select(
      db
        .select(columnsOf(note, now))
        .from(users)
        .innerJoin(pushDevices, eq(pushDevices.userId, users.id))
        .where(note.where),
    )
    .onConflictDoNothing();
}

/** Sets what a team member is told of; what waits to be told and is not wanted any more goes. One batch. */
export async function setTeamAlerts(
  db: Db,
  memberId: string,
  alerts: TeamAlerts,
  now: number,
): Promise<void> {
  const off = [
    ...(alerts.sales ? [] : (["team_sale"] as const)),
    ...(alerts.mentions ? [] : (["mentioned"] as const)),
  ];
  const values = { ...alerts, updatedAt: now };
  await db.batch([
    db
      .insert(teamAlerts)
      .values({ userId: memberId, ...values })
      .onConflictDoUpdate({ target: teamAlerts.userId, set: values }),
    db
      .delete(messages)
      .where(
        and(eq(messages.userId, memberId), inArray(messages.template, off), eq(messages.state, "waiting")),
      ),
  ]);
}
