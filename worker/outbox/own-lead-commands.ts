/**
 * Statements that enqueue alerts to a provider about a lead they are buying. Each belongs in the batch of the change
 * that causes it. Each enqueues one message per device of the provider. A provider without devices gets no row.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import {
  alertSettings,
  type leadPurchases,
  messages,
  payments,
  pushDevices,
  users,
} from "../platform/db/schema.ts";
import type { MessagePayload, PushTemplate } from "../platform/db/message-types.ts";
import { rowColumns } from "./enqueue-commands.ts";
import { RULES, WARNED_BEFORE_MS } from "./registry.ts";

/** The warning expires this long before the hold ends. */
const TOO_LATE_MS = 10_000;
/** No warning is sent until this long after the hold was opened. */
const SETTLED_IN_MS = 30_000;

/** The facts of a sale that its alerts need. */
type SaleFacts = {
  purchaseId: string;
  businessId: string;
  mode: (typeof leadPurchases.$inferSelect)["mode"];
  soldAt: number;
};

/** A message to enqueue for each selected device. */
export type Note = {
  template: PushTemplate;
  /** The dedupe key within the template and device. */
  key: string;
  leadId: string;
  payload: MessagePayload;
  due: number;
  expiresAt: number;
  /** Selects the devices, with any further condition. */
  where: SQL;
};

/** SQLite creates the ids, because one statement writes many rows. They use the same letters as our other ids. */
export const idSql = sql`'msg_' || lower(hex(randomblob(10)))`;

/** Returns the columns of a note for the device that a statement selects. */
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

/** Enqueues a note for the devices of the buyer in a hold's ledger row. */
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
 * Enqueues the warning that a hold will lapse, due shortly before it does. Must follow the statement that opens the
 * hold's ledger row.
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

/** Enqueues the alert that a payment came too late and is refunded. */
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
 * Enqueues the alert that a business got a lead. A sale that is written too late causes no alert.
 * @param when a condition that must hold before the sale is written
 */
export function noteLeadWon(
  db: Db,
  { leadId, sale, when }: { leadId: string; sale: SaleFacts; when: SQL },
  now: number,
) {
  const { purchaseId, businessId, mode, soldAt } = sale;
  // An alert about an assigned lead may wait for the end of quiet hours.
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
 * Enqueues the alert about a sale for the team members that the owner chose.
 * @param when a condition that must hold before the sale is written
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
    // Use a subquery per member: with a join, SQLite would scan the settings of all owners.
    sql`(SELECT ${alertSettings.team} ->> 'sales' FROM ${alertSettings} WHERE ${alertSettings.userId} = ${users.id}) = 1`,
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
