/** Decides the cases of the guarantee by its rules. worker/leads/guarantee-commands.ts opens them. */
import { and, eq, exists, inArray, isNull, type SQL, sql } from "drizzle-orm";

import { CORRECTION_MS, OBJECTION_MS } from "../../../contract/guarantee.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import type { auditWhen } from "../../identity/audit/commands.ts";
import { expireLinkingPages } from "../../identity/providers/expire-commands.ts";
import { openCase } from "../../leads/guarantee-commands.ts";
import {
  announceCustomerUpdate,
  notifyBuyerOfUpdate,
} from "../../leads/request-links/customer-update-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueueForVisitor } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { freeClaims, guaranteeCases, leadPurchases, publicFigures } from "../../platform/db/schema.ts";
import { log } from "../../platform/log.ts";
import { rescheduleInvitation } from "../reviews/commands.ts";
import {
  followDecision,
  grantFreeClaim,
  hasCase,
  logDecision,
  raiseCaseAlert,
  resolveCaseAlert,
} from "./case-commands.ts";
import {
  FREE_CLAIM_RATE_KEY,
  FREE_CLAIM_RATE_PERIOD_MS,
  type DueCase,
  hasEnoughUnansweredCalls,
  isWithinCap,
  listDueCases,
} from "./queries.ts";
import { findEscalationReason, meetsRule } from "./rules.ts";

/** The sweep retries a case after this time, if it failed or its free claim is in use. */
const RETRY_MS = 2 * 60_000;

/** Returns the statement that takes back an unused free claim. */
function revokeFreeClaim(db: Db, purchaseId: string, when: SQL, now: number) {
  return db
    .update(freeClaims)
    .set({ revokedAt: now })
    .where(and(eq(freeClaims.purchaseId, purchaseId), isNull(freeClaims.usedAt), when));
}

/**
 * Compare-and-set: the case is as we read it, and so are the facts that decide it. Every quote, call, response, reply,
 * review, correction, refund and removal moves the purchase's `updatedAt` forward.
 */
const isUnchanged = ({ purchaseId, state, updatedAt, purchaseUpdatedAt }: DueCase) =>
  and(
    eq(guaranteeCases.purchaseId, purchaseId),
    eq(guaranteeCases.state, state),
    eq(guaranteeCases.updatedAt, updatedAt),
    sql`EXISTS (SELECT 1 FROM lead_purchases AS facts
      WHERE facts.id = ${purchaseId} AND facts.updated_at = ${purchaseUpdatedAt})`,
  )!;

/** Grants a case whose rule is met. Over the cap, or in doubt, a person decides instead. */
async function grant({ db }: Context, row: DueCase, now: number): Promise<void> {
  const { purchaseId, leadId, buyerId } = row;
  const isThis = hasCase(db, isUnchanged(row));
  const freeClaim = exists(
    db
      .select({ id: freeClaims.id })
      .from(freeClaims)
      .where(and(eq(freeClaims.purchaseId, purchaseId), isNull(freeClaims.revokedAt))),
  );
  const doubt = findEscalationReason(row);
  const detail =
    doubt ?? "A purchase meets a rule of the guarantee, but its business is over the cap. Please decide.";
  const isOver = sql`${isThis} AND NOT ${freeClaim}`;
  await db.batch([
    grantFreeClaim(db, purchaseId, and(isThis, doubt ? sql`0` : isWithinCap(buyerId, now))!, now),
    logDecision(db, row, "grant", and(isThis, freeClaim)!, now),
    logDecision(db, row, "cap", isOver, now),
    raiseCaseAlert(db, { leadId, detail, since: now }, isOver),
    db
      .update(guaranteeCases)
      .set({
        state: sql`CASE WHEN ${freeClaim} THEN 'granted' ELSE 'capped' END`,
        dueAt: null,
        updatedAt: now,
      })
      .where(isUnchanged(row)),
    ...followDecision(db, purchaseId, now),
  ]);
}

/**
 * Refuses a case whose rule is not met, or takes its free claim back. A used free claim stays. While the business is
 * using it, the sweep tries again.
 */
async function refuse({ db }: Context, row: DueCase, now: number): Promise<void> {
  const { purchaseId } = row;
  const state = row.state === "granted" ? "revoked" : "refused";
  const used = (isFinished: SQL) => sql`EXISTS (SELECT 1 FROM free_claims WHERE purchase_id = ${purchaseId}
    AND used_at IS NOT NULL AND ${isFinished})`;
  const isThis = and(isUnchanged(row), sql`NOT ${used(sql`true`)}`)!;
  const when = hasCase(db, isThis);
  await db.batch([
    rescheduleInvitation(db, purchaseId, when, now),
    revokeFreeClaim(db, purchaseId, when, now),
    logDecision(db, row, state === "revoked" ? "revoke" : "refuse", when, now),
    resolveCaseAlert(db, row.leadId, now, when),
    db.update(guaranteeCases).set({ state, dueAt: null, updatedAt: now }).where(isThis),
    db
      .update(guaranteeCases)
      .set({ dueAt: sql`CASE WHEN ${used(sql`finished_at IS NULL`)} THEN ${now + RETRY_MS} END` })
      .where(isUnchanged(row)),
    ...followDecision(db, purchaseId, now),
  ]);
}

/** Leaves a decision that is still right as it is. */
async function keep({ db }: Context, row: DueCase): Promise<void> {
  await db.update(guaranteeCases).set({ dueAt: null }).where(isUnchanged(row));
}

async function decide(context: Context, row: DueCase, now: number): Promise<void> {
  const isDecided = row.state !== "waiting" && row.state !== "asked";
  const isMet = meetsRule(row);
  if (isMet && isDecided) return keep(context, row);
  await (isMet ? grant(context, row, now) : refuse(context, row, now));
  const { siteUrl } = context.settings;
  if (siteUrl) await expireLinkingPages(context.db, siteUrl, row.buyerId, "purge");
  await notifyRoom(context, { businessId: row.buyerId, userId: "system" }, row.purchaseId);
}

/** Computes the public rate of free claims, once a day. */
async function countFreeClaimRate(db: Db, now: number): Promise<void> {
  const since = now - FREE_CLAIM_RATE_PERIOD_MS;
  const isFresh = and(
    eq(publicFigures.key, FREE_CLAIM_RATE_KEY),
    sql`${publicFigures.computedAt} > ${now - DAY_MS}`,
  );
  if ((await db.$count(publicFigures, isFresh)) > 0) return;
  const [row] = await db
    .select({
      n: sql<number>`count(*)`,
      businesses: sql<number>`count(DISTINCT ${leadPurchases.buyerId})`,
      credits: sql<number>`count(${freeClaims.id})`,
    })
    .from(leadPurchases)
    .leftJoin(freeClaims, and(eq(freeClaims.purchaseId, leadPurchases.id), isNull(freeClaims.revokedAt)))
    .where(
      and(
        // The condition of the index of traded purchases.
        sql`${leadPurchases.mode} <> 'manual'`,
        inArray(leadPurchases.mode, ["stripe", "direct"]),
        sql`${leadPurchases.purchasedAt} >= ${since}`,
        sql`${leadPurchases.paymentStatus} <> 'refunded'`,
        isNull(leadPurchases.removedAt),
      ),
    );
  const { n, businesses, credits } = row!;
  const figure = {
    key: FREE_CLAIM_RATE_KEY,
    value: n === 0 ? 0 : credits / n,
    n,
    businesses,
    fromDay: sydneyDay(since),
    toDay: sydneyDay(now),
    computedAt: now,
  };
  await db
    .insert(publicFigures)
    .values(figure)
    .onConflictDoUpdate({ target: publicFigures.key, set: figure });
}

/** Maximum cases per run. The next run takes the others. */
const SWEEP_BATCH = 50;

/** Decides the cases that are due, and computes the public rate. Safe to repeat. @returns counts for the log */
export async function sweepGuarantee(
  context: Context,
  now: number,
): Promise<{ decided: number; failed: number }> {
  const counts = { decided: 0, failed: 0 };
  for (const row of await listDueCases(context.db, now, SWEEP_BATCH)) {
    try {
      await decide(context, row, now);
      counts.decided += 1;
    } catch (error) {
      counts.failed += 1;
      log("warn", "guarantee_delayed", { purchaseId: row.purchaseId, error });
      await context.db
        .update(guaranteeCases)
        .set({ dueAt: now + RETRY_MS })
        .where(isUnchanged(row));
    }
  }
  await countFreeClaimRate(context.db, now);
  return counts;
}

/**
 * Returns the statements that ask the customer about unanswered calls, if the business has logged enough of them.
 * Must follow the statement that logs a call.
 */
export function askAboutCalls(
  db: Db,
  { id, leadId }: { id: string; leadId: string | SQL },
  when: SQL,
  now: number,
) {
  const of = and(eq(leadPurchases.id, id), when, hasEnoughUnansweredCalls)!;
  const isAsked = hasCase(
    db,
    and(
      eq(guaranteeCases.purchaseId, id),
      eq(guaranteeCases.state, "asked"),
      eq(guaranteeCases.createdAt, now),
    )!,
  );
  const ask = (channel: "email" | "sms") =>
    enqueueForVisitor(
      db,
      "missed_calls",
      { leadId, channel, subject: { purchaseId: id }, when: isAsked },
      now,
    );
  return [
    openCase(db, { of, rule: "no_answer", state: "asked", dueAt: now + OBJECTION_MS }, now),
    ask("email"),
    ask("sms"),
  ] as const;
}

/**
 * Records that a lead's phone number is wrong, by the customer's or an admin's word. The buyer sees it at once. The
 * buyer gets a free claim unless someone corrects the number within a day, and before the call clock ends.
 */
export async function reportWrongNumber(
  context: Context,
  leadId: string,
  now: number,
  audit: (isNew: SQL) => ReturnType<typeof auditWhen> | null = () => null,
): Promise<void> {
  const { db } = context;
  const of = and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt))!;
  const dueAt = sql`max(${now + CORRECTION_MS}, coalesce(${leadPurchases.clockEndsAt}, 0))`;
  const logged = audit(exists(db.select({ id: leadPurchases.id }).from(leadPurchases).where(of)));
  const update = { id: `upd_wrong_number_${leadId}`, leadId, kind: "wrong_number" } as const;
  const [, purchases] = await db.batch([
    ...announceCustomerUpdate(db, update, now),
    openCase(db, { of, rule: "wrong_number", dueAt }, now),
    ...(logged ? [logged] : []),
  ]);
  await notifyBuyerOfUpdate(context, purchases);
}

/** Stores whether the customer missed the provider's calls. Either way the sweep then decides the case. */
export async function answerMissedCalls(
  { db }: Context,
  leadId: string,
  isMissed: boolean,
  now: number,
): Promise<void> {
  const asked = and(
    eq(guaranteeCases.state, "asked"),
    inArray(
      guaranteeCases.purchaseId,
      db.select({ id: leadPurchases.id }).from(leadPurchases).where(eq(leadPurchases.leadId, leadId)),
    ),
  )!;
  const known = { rule: "no_answer" as const, purchaseId: "" };
  const [row] = await db.select({ purchaseId: guaranteeCases.purchaseId }).from(guaranteeCases).where(asked);
  if (!row) return;
  const isThis = and(eq(guaranteeCases.purchaseId, row.purchaseId), eq(guaranteeCases.state, "asked"))!;
  if (isMissed) {
    await db.update(guaranteeCases).set({ dueAt: now }).where(isThis);
    return;
  }
  await db.batch([
    logDecision(db, { ...known, ...row }, "refuse", hasCase(db, isThis), now),
    db.update(guaranteeCases).set({ state: "refused", dueAt: null, updatedAt: now }).where(isThis),
    ...followDecision(db, row.purchaseId, now),
  ]);
}
