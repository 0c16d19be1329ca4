/**
 * The statements that note what a provider is to hear of a lead they are buying. Each goes into the batch of the
 * change that causes it, and writes a message for each of their devices; who has none causes no row.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../db/client.ts";
import { type leadPurchases, messages, payments, pushDevices, teamAlerts, users } from "../db/schema.ts";
import type { MessagePayload, PushTemplate } from "../db/message-types.ts";
import { rowColumns } from "./enqueue-commands.ts";
import { RULES, WARNED_BEFORE_MS } from "./registry.ts";

/** A hold is worth no word any more when it ends within so long. */
const TOO_LATE_MS = 10_000;
/** Whoever has just opened a hold need not be told of its end yet. */
const SETTLED_IN_MS = 30_000;

/** What a message about a sale needs to know of it. */
type SaleFacts = {
  purchaseId: string;
  businessId: string;
  mode: (typeof leadPurchases.$inferSelect)["mode"];
  soldAt: number;
};

/** What is to be written for each device of somebody. */
export type Note = {
  template: PushTemplate;
  /** What makes two of these the same one, besides template and device. */
  key: string;
  leadId: string;
  payload: MessagePayload;
  due: number;
  expiresAt: number;
  /** Whose devices, and what else must be so. */
  where: SQL;
};

/** Ids of rows that one statement writes are made by SQLite, in the letters of ours. */
export const idSql = sql`'msg_' || lower(hex(randomblob(10)))`;

/** The columns of a note for the device that a statement selects. */
export function columnsOf({ template, key, leadId, payload, due, expiresAt }: Note, now: number) {
  return rowColumns({
    id: idSql,
    dedupeKey: sql`${`${template}:${key}:`} || ${pushDevices.id}`,
    channel: "push",
    template,
    recipient: sql`${pushDevices.id}`,
    userId: sql`${pushDevices.userId}`,
    leadId: sql`${leadId}`,
    payload: sql`${JSON.stringify(payload)}`,
    due: sql`${due}`,
    expiresAt: sql`${expiresAt}`,
    createdAt: sql`${now}`,
  });
}

function noteForDevices(db: Db, note: Note, now: number) {
  return db
    .insert(messages)
    .select(db.select(columnsOf(note, now)).from(pushDevices).where(note.where))
    .onConflictDoNothing();
}

/** The same for whoever a hold's row in the ledger belongs to. */
function noteForHolder(db: Db, note: Note, now: number) {
  return db
    .insert(messages)
    .select(
      db
        .select(columnsOf(note, now))
        .from(payments)
        .innerJoin(pushDevices, eq(pushDevices.userId, payments.buyerId))
        .where(note.where),
    )
    .onConflictDoNothing();
}

/**
 * Notes that a hold will lapse, for shortly before it does. Goes behind the statement that opens its row.
 * @param hold `endsAt`: epoch ms, as the exchange has it
 */
export function noteHoldLapsing(
  db: Db,
  { holdId, leadId, endsAt }: { holdId: string; leadId: string; endsAt: number },
  now: number,
) {
  const note: Note = {
    template: "hold_lapsing",
    key: holdId,
    leadId,
    payload: { holdId, leadId, endsAt },
    due: Math.max(now + SETTLED_IN_MS, endsAt - WARNED_BEFORE_MS),
    expiresAt: endsAt - TOO_LATE_MS,
    where: eq(payments.holdId, holdId),
  };
  return noteForHolder(db, note, now);
}

/** Notes that a hold's time ran out. */
export function noteHoldLapsed(db: Db, { holdId, leadId }: { holdId: string; leadId: string }, now: number) {
  const note: Note = {
    template: "hold_lapsed",
    key: holdId,
    leadId,
    payload: { holdId, leadId },
    due: now,
    expiresAt: now + RULES.hold_lapsed.lifetimeMs,
    where: eq(payments.holdId, holdId),
  };
  return noteForHolder(db, note, now);
}

/** Notes that a payment came too late and goes back. */
export function notePaidTooLate(
  db: Db,
  owed: { paymentIntentId: string; leadId: string; businessId: string },
  now: number,
) {
  const { paymentIntentId, leadId, businessId } = owed;
  const note: Note = {
    template: "paid_too_late",
    key: paymentIntentId,
    leadId,
    payload: { leadId, paymentIntentId },
    due: now,
    expiresAt: now + RULES.paid_too_late.lifetimeMs,
    where: eq(pushDevices.userId, businessId),
  };
  return noteForDevices(db, note, now);
}

/**
 * Notes that a lead is its business's now. A sale that is only written down late is news no more.
 * @param when what must be so before the sale is written
 */
export function noteLeadWon(
  db: Db,
  { leadId, sale, when }: { leadId: string; sale: SaleFacts; when: SQL },
  now: number,
) {
  const { purchaseId, businessId, mode, soldAt } = sale;
  // What an admin gave may wait for the end of a night.
  const lifetimeMs = mode === "assigned" ? DAY_MS : RULES.lead_won.lifetimeMs;
  const expiresAt = soldAt + lifetimeMs;
  const note: Note = {
    template: "lead_won",
    key: purchaseId,
    leadId,
    payload: { leadId, purchaseId },
    due: now,
    expiresAt,
    where: and(eq(pushDevices.userId, businessId), sql`${expiresAt} > ${now}`, when)!,
  };
  return noteForDevices(db, note, now);
}

/**
 * Notes for the team that their business got a lead: for those whom their owner wants told.
 * @param when what must be so before the sale is written
 */
export function noteTeamSale(
  db: Db,
  { leadId, sale, when }: { leadId: string; sale: SaleFacts; when: SQL },
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
