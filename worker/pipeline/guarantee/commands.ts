/** Decides the cases of the guarantee by its rules. case-commands.ts opens them. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";

import { CORRECTION_MS, OBJECTION_MS } from "../../../contract/guarantee.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import {
  FactsChanged,
  guardedBatch,
  ignoreIfChanged,
  retryIfChanged,
} from "../../platform/db/guarded-batch.ts";
import { publicFigures } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { log } from "../../platform/log.ts";
import { announceCustomerUpdate, notifyBuyerOfUpdate } from "../answers/store.ts";
import { rescheduleInvitation } from "../reviews/commands.ts";
import {
  caseAsRead,
  changeCase,
  followDecision,
  grantFreeClaim,
  logDecision,
  openCase,
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
import { missedCalls } from "./messages.ts";

/** The sweep retries a case after this time, if it failed or its free claim is in use. */
const RETRY_MS = 2 * 60_000;

/**
 * The guard of a decision: the case is as we read it, and so are the facts that decide it. Every quote, call, response,
 * reply, review, correction, refund and removal moves the purchase's `updatedAt` forward.
 */
function asRead(row: DueCase) {
  const { from, where } = caseAsRead(row);
  const facts = sql`EXISTS (SELECT 1 FROM lead_purchases AS facts
    WHERE facts.id = ${row.purchaseId} AND facts.updated_at = ${row.purchaseUpdatedAt})`;
  return { from, where: and(where, facts) };
}

type FreeClaim = typeof freeClaims.$inferSelect;

/** Grants a case whose rule is met. Over the cap, or in doubt, a person decides instead. */
async function grant(db: Db, row: DueCase, claim: FreeClaim | undefined, now: number): Promise<void> {
  const { purchaseId, leadId, buyerId } = row;
  const isWithin = isWithinCap(buyerId, now);
  const [lead] = await db
    .select({ priceCents: leads.priceCents, isWithin: sql<number>`${isWithin}` })
    .from(leads)
    .where(eq(leads.id, leadId));
  const doubt = findEscalationReason(row);
  const hasClaim = claim?.revokedAt === null;
  const isNew = !hasClaim && doubt === null && lead!.isWithin === 1;
  const guard = asRead(row);
  if (hasClaim || isNew) {
    await guardedBatch(db, { ...guard, where: and(guard.where, isNew ? isWithin : undefined) }, [
      changeCase(db, purchaseId, { state: "granted" }, now),
      logDecision(db, row, "grant", now),
      grantFreeClaim(db, row, lead!.priceCents, now),
      ...followDecision(db, row, "granted", now),
    ]);
    return;
  }
  const detail =
    doubt ?? "A purchase meets a rule of the guarantee, but its business is over the cap. Please decide.";
  await guardedBatch(db, guard, [
    changeCase(db, purchaseId, { state: "capped" }, now),
    logDecision(db, row, "cap", now),
    raiseCaseAlert(db, leadId, detail, now),
    ...followDecision(db, row, "capped", now),
  ]);
}

/**
 * Refuses a case whose rule is not met, or takes its free claim back. A used free claim stays. While the business is
 * using it, the sweep tries again.
 */
async function refuse(db: Db, row: DueCase, claim: FreeClaim | undefined, now: number): Promise<void> {
  const { purchaseId, leadId } = row;
  if (claim && claim.usedAt !== null)
    return postpone(db, row, claim.finishedAt === null ? now + RETRY_MS : null);
  const state = row.state === "granted" ? "revoked" : "refused";
  const guard = asRead(row);
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM free_claims
    WHERE purchase_id = ${purchaseId} AND used_at IS NOT NULL)`;
  await guardedBatch(db, { ...guard, where: and(guard.where, isUnused) }, [
    changeCase(db, purchaseId, { state }, now),
    logDecision(db, row, state === "revoked" ? "revoke" : "refuse", now),
    db.update(freeClaims).set({ revokedAt: now }).where(eq(freeClaims.purchaseId, purchaseId)),
    resolveCaseAlert(db, leadId, now),
    rescheduleInvitation(db, purchaseId, now),
    ...followDecision(db, row, state, now),
  ]);
}

/** Sets when the sweep next decides a case. With null, a decision that is still right stays. */
async function postpone(db: Db, row: DueCase, dueAt: number | null): Promise<void> {
  await db.update(guaranteeCases).set({ dueAt }).where(asRead(row).where);
}

async function decide(context: Context, row: DueCase, now: number): Promise<void> {
  const { db } = context;
  const isDecided = row.state !== "waiting" && row.state !== "asked";
  const isMet = meetsRule(row);
  if (isMet && isDecided) return postpone(db, row, null);
  const [claim] = await db.select().from(freeClaims).where(eq(freeClaims.purchaseId, row.purchaseId));
  await (isMet ? grant : refuse)(db, row, claim, now);
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
      claims: sql<number>`count(${freeClaims.id})`,
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
  const { n, businesses, claims } = row!;
  const figure = {
    key: FREE_CLAIM_RATE_KEY,
    value: n === 0 ? 0 : claims / n,
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
      // The case is still due, so the next run decides it by the new facts.
      if (error instanceof FactsChanged) continue;
      counts.failed += 1;
      log("warn", "guarantee_delayed", { purchaseId: row.purchaseId, error });
      await postpone(context.db, row, now + RETRY_MS);
    }
  }
  await countFreeClaimRate(context.db, now);
  return counts;
}

/**
 * Returns the statements that ask the customer about unanswered calls, if the business has logged enough of them.
 * Must follow the statement that logs a call.
 */
export function askAboutCalls(db: Db, { id, leadId }: { id: string; leadId: string }, now: number) {
  const of = and(eq(leadPurchases.id, id), hasEnoughUnansweredCalls)!;
  const isAsked = sql`EXISTS (SELECT 1 FROM guarantee_cases
    WHERE purchase_id = ${id} AND state = 'asked' AND created_at = ${now})`;
  return [
    openCase(db, { of, rule: "no_answer", state: "asked", dueAt: now + OBJECTION_MS }, now),
    enqueue(db, missedCalls, { leadId, purchaseId: id }, now, { when: isAsked }),
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
  by: Act | null = null,
): Promise<void> {
  const { db } = context;
  const of = and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt))!;
  const dueAt = sql`max(${now + CORRECTION_MS}, coalesce(${leadPurchases.clockEndsAt}, 0))`;
  const update = { id: `upd_wrong_number_${leadId}`, leadId, kind: "wrong_number" } as const;
  const entry = { at: now, action: "lead.wrong_number", subjectType: "lead", subjectId: leadId };
  const batch = guardedBatch(db, { from: leadPurchases, where: of }, [
    ...announceCustomerUpdate(db, update, now),
    openCase(db, { of, rule: "wrong_number", dueAt }, now),
    ...(by ? [auditEntry(db, by.actor, { ...entry, requestId: by.requestId })] : []),
  ]);
  const results = await batch.catch(ignoreIfChanged);
  if (results) await notifyBuyerOfUpdate(context, results[1]);
}

/** Stores whether the customer missed the provider's calls. Either way the sweep then decides the case. */
export function answerMissedCalls(
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
  );
  return retryIfChanged(async () => {
    const [row] = await db.select().from(guaranteeCases).where(asked);
    if (!row) return;
    const { purchaseId } = row;
    await guardedBatch(
      db,
      caseAsRead(row),
      isMissed
        ? [db.update(guaranteeCases).set({ dueAt: now }).where(eq(guaranteeCases.purchaseId, purchaseId))]
        : [
            changeCase(db, purchaseId, { state: "refused" }, now),
            logDecision(db, { purchaseId, rule: "no_answer" }, "refuse", now),
            ...followDecision(db, row, "refused", now),
          ],
    );
  });
}
