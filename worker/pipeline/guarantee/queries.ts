import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { calledOffId } from "../../leads/customer-update-queries.ts";

import { CALLED_STAMPS } from "../../../contract/call-state.ts";
import {
  CONTACT_OUTCOMES,
  type ContactOutcome,
  CONTACTS,
  reachesCustomer,
} from "../../../contract/contacts.ts";
import {
  type AdminGuaranteeCase,
  FREE_CLAIM_CAP,
  FREE_CLAIM_CAP_MS,
  FREE_CLAIM_RATE_MIN_SALES,
  type FreeClaimRate,
  type GuaranteeCase,
  type GuaranteeList,
  type GuaranteeState,
  NO_ANSWER,
  NO_ANSWER_MS,
} from "../../../contract/guarantee.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { centsToText } from "../../../contract/money.ts";
import type { SalesStage } from "../../../contract/stages.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { businessesOfPerson, businessName } from "../../identity/providers/queries.ts";
import { firstContactAt, isSpokenTo } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { DONE_STAGES } from "../../selling/purchases/rules.ts";
import { publicFigures } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";

const isReached = isSpokenTo.mapWith(Boolean);

const QUOTE_COLUMNS = sql.raw(
  CALLED_STAMPS.filter((name) => name !== "calledAt")
    .map((name) => `lead_purchases.${leadPurchases[name].name}`)
    .join(", "),
);

/**
 * SQL: the guarantee covers a purchase. The business paid for it, without a dispute, and still has it. Its customer's
 * request was not passed on because no call came.
 */
export const isGuaranteed = sql`lead_purchases.mode IN ('stripe', 'direct') AND lead_purchases.amount_paid_cents > 0
  AND lead_purchases.payment_status NOT IN ('refunded', 'disputed') AND lead_purchases.removed_at IS NULL
  AND lead_purchases.call_clock ->> '$.rescuedAt' IS NULL`;

/** SQL: the business has quoted or booked the job. */
const isQuoted = sql<boolean>`(coalesce(${QUOTE_COLUMNS}) IS NOT NULL)`.mapWith(Boolean);

const listOf = (values: readonly (ContactOutcome | SalesStage)[]) =>
  sql.raw(values.map((value) => `'${value}'`).join(", "));
const UNANSWERED = listOf(CONTACT_OUTCOMES.filter((outcome) => !reachesCustomer(outcome)));
const ANSWERED = listOf(CONTACT_OUTCOMES.filter((outcome) => CONTACTS[outcome].tries === "none"));

/**
 * SQL: the business logged enough calls over enough time, and the customer has never answered. The time counts from
 * entry to entry, because a business could backdate calls that it never made.
 */
export const hasEnoughUnansweredCalls: SQL = sql`NOT ${isReached} AND lead_purchases.answered_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM contact_log
    WHERE contact_log.purchase_id = lead_purchases.id AND contact_log.outcome IN (${ANSWERED}))
  AND NOT EXISTS (SELECT 1 FROM customer_updates
    WHERE customer_updates.id = ${calledOffId("")} || lead_purchases.lead_id)
  AND (SELECT count(*) >= ${NO_ANSWER.calls} AND max(logged_at) - min(logged_at) >= ${NO_ANSWER_MS}
    FROM contact_log
    WHERE contact_log.purchase_id = lead_purchases.id AND contact_log.outcome IN (${UNANSWERED})
      AND contact_log.at >= lead_purchases.purchased_at)`;

/** SQL: the customer or the business corrected the phone number after the case was opened. */
const isNumberCorrected =
  sql<boolean>`(coalesce(lead_purchases.corrected ->> '$.phone', '') <> '' OR EXISTS (SELECT 1
  FROM customer_updates AS correction INDEXED BY customer_updates_lead
  WHERE correction.lead_id = guarantee_cases.lead_id AND correction.at >= guarantee_cases.created_at
    AND correction.kind = 'changed' AND instr(correction.changes, '"customerPhone"') > 0))`.mapWith(Boolean);

/** SQL: the customer was sent the question about the calls. */
const wasAsked = sql<boolean>`EXISTS (SELECT 1 FROM messages
  WHERE messages.lead_id = guarantee_cases.lead_id AND messages.template = 'missed_calls'
    AND messages.created_at >= guarantee_cases.created_at AND messages.state IN ('sent', 'delivered'))`.mapWith(
  Boolean,
);

/** SQL: the customer has reviewed the business, or the business once marked the job as complete. */
const hasDoneJob = sql<boolean>`(EXISTS (SELECT 1 FROM reviews
    WHERE reviews.purchase_id = guarantee_cases.purchase_id AND reviews.written_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM stage_changes WHERE stage_changes.purchase_id = guarantee_cases.purchase_id
    AND stage_changes.to_stage IN (${listOf(DONE_STAGES)})))`.mapWith(Boolean);

/** SQL: whether one more free claim is within the cap of the person behind a business. */
export function isWithinCap(businessId: string, now: number): SQL {
  const since = now - FREE_CLAIM_CAP_MS;
  const bought = sql`(SELECT count(*) FROM lead_purchases AS bought
    WHERE bought.buyer_id IN ${businessesOfPerson(businessId)}
    AND bought.removed_at IS NULL AND bought.purchased_at >= ${since} AND bought.mode IN ('stripe', 'direct')
    AND bought.payment_status <> 'refunded')`;
  return sql`(SELECT count(*) FROM free_claims AS earlier
    WHERE earlier.buyer_id IN ${businessesOfPerson(businessId)}
    AND earlier.revoked_at IS NULL AND earlier.created_at >= ${since})
    < max(1, CAST(${bought} * ${FREE_CLAIM_CAP.share} AS INTEGER))`;
}

/** Returns cases that are due, oldest first, with the facts that decide them. */
export function listDueCases(db: Db, now: number, limit: number) {
  return (
    db
      .select({
        purchaseId: guaranteeCases.purchaseId,
        leadId: guaranteeCases.leadId,
        buyerId: guaranteeCases.buyerId,
        rule: guaranteeCases.rule,
        state: guaranteeCases.state,
        dueAt: sql<number>`${guaranteeCases.dueAt}`,
        createdAt: guaranteeCases.createdAt,
        updatedAt: guaranteeCases.updatedAt,
        purchaseUpdatedAt: leadPurchases.updatedAt,
        purchasedAt: leadPurchases.purchasedAt,
        callClock: leadPurchases.callClock,
        repliedAt: leadPurchases.answeredAt,
        isCovered: sql<boolean>`(${isGuaranteed})`.mapWith(Boolean),
        isReached,
        isQuoted,
        isNumberCorrected,
        wasAsked,
        hasDoneJob,
        firstContactAt,
      })
      .from(guaranteeCases)
      .innerJoin(leadPurchases, eq(leadPurchases.id, guaranteeCases.purchaseId))
      // Repeats the condition of the partial index, or SQLite does not use it.
      .where(and(isNotNull(guaranteeCases.dueAt), lte(guaranteeCases.dueAt, now)))
      .orderBy(asc(guaranteeCases.dueAt))
      .limit(limit)
  );
}
export type DueCase = Awaited<ReturnType<typeof listDueCases>>[number];

/** Decisions that a business may contest. */
export const CONTESTABLE: readonly GuaranteeState[] = ["refused", "revoked"];

type CaseRow = Pick<typeof guaranteeCases.$inferSelect, "state" | "dueAt" | "contestedAt">;

/** Returns a case as its business sees it. */
export function toCase<Row extends CaseRow>({ contestedAt, dueAt, ...row }: Row) {
  const { state } = row;
  return {
    ...row,
    dueAt: state === "waiting" || state === "asked" ? dueAt : null,
    canContest: contestedAt === null && CONTESTABLE.includes(state),
  };
}

const CASE_COLUMNS = {
  purchaseId: guaranteeCases.purchaseId,
  rule: guaranteeCases.rule,
  state: guaranteeCases.state,
  dueAt: guaranteeCases.dueAt,
  answer: guaranteeCases.answer,
  contestedAt: guaranteeCases.contestedAt,
};

/** What admins see of the bought lead of a case or a bad-lead report. Joins lead, purchase and buyer. */
export const BOUGHT_LEAD_COLUMNS = {
  leadId: leads.id,
  businessId: users.id,
  businessName,
  customerName: leads.customerName,
  customerPhone: leads.customerPhone,
  customerEmail: leads.customerEmail,
  suburbName: leads.suburbName,
  boughtAt: leadPurchases.purchasedAt,
};

/** Returns a business's newest cases, and the price of each of its unused free claims, such as "50.00". */
export async function readCases(
  db: Db,
  scope: BusinessScope,
): Promise<{ cases: GuaranteeCase[]; claimPrices: string[] }> {
  const [cases, claims] = await db.batch([
    db
      .select({
        ...CASE_COLUMNS,
        isNumberWrong: sql<boolean>`(${guaranteeCases.rule} = 'wrong_number'
          AND ${guaranteeCases.state} NOT IN ('refused', 'revoked') AND NOT ${isNumberCorrected})`.mapWith(
          Boolean,
        ),
      })
      .from(guaranteeCases)
      .innerJoin(leadPurchases, eq(leadPurchases.id, guaranteeCases.purchaseId))
      .where(eq(guaranteeCases.buyerId, scope.businessId))
      .orderBy(desc(guaranteeCases.createdAt))
      .limit(200),
    db
      .select({ priceCents: freeClaims.priceCents })
      .from(freeClaims)
      .where(
        and(
          eq(freeClaims.buyerId, scope.businessId),
          isNull(freeClaims.usedAt),
          isNull(freeClaims.revokedAt),
        ),
      ),
  ]);
  return { cases: cases.map(toCase), claimPrices: claims.map(({ priceCents }) => centsToText(priceCents)) };
}

/** The states in each list of the admins. */
const LISTED: Readonly<Record<GuaranteeList, GuaranteeState[]>> = {
  open: ["capped", "contested"],
  granted: ["granted"],
  refused: ["refused", "revoked"],
  pending: ["waiting", "asked"],
};

/** SQL: cases that wait for a person. */
export const isOpenCase = inArray(guaranteeCases.state, LISTED.open);

/** Returns whether a case in this state waits for a person. */
export const isOpenState = (state: GuaranteeState) => LISTED.open.includes(state);

/** Returns all businesses' cases of a list, latest change first. */
export async function listCases(
  db: Db,
  { list, after, limit }: { list: GuaranteeList; after: After; limit: number },
): Promise<AdminGuaranteeCase[]> {
  const selectState = (state: GuaranteeState) =>
    db
      .select({
        ...CASE_COLUMNS,
        ...BOUGHT_LEAD_COLUMNS,
        contestNote: guaranteeCases.contestNote,
        updatedAt: guaranteeCases.updatedAt,
      })
      .from(guaranteeCases)
      .innerJoin(leadPurchases, eq(leadPurchases.id, guaranteeCases.purchaseId))
      .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
      .innerJoin(users, eq(users.id, guaranteeCases.buyerId))
      .where(
        and(
          eq(guaranteeCases.state, state),
          olderThan(guaranteeCases.updatedAt, guaranteeCases.purchaseId, after),
        ),
      )
      .orderBy(desc(guaranteeCases.updatedAt), desc(guaranteeCases.purchaseId))
      .limit(limit);
  // One query for each state: the index has the newest first only within a state.
  const found = await Promise.all(LISTED[list].map(selectState));
  return found
    .flat()
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.purchaseId < b.purchaseId ? 1 : -1))
    .slice(0, limit)
    .map(toCase);
}

/** Returns whether a business got a free claim for a purchase, used or not. */
export async function hasFreeClaim(db: Db, purchaseId: string): Promise<boolean> {
  const found = and(eq(freeClaims.purchaseId, purchaseId), isNull(freeClaims.revokedAt));
  return (await db.$count(freeClaims, found)) > 0;
}

/** Key of the public rate of free claims in `public_figures`. */
export const FREE_CLAIM_RATE_KEY = "creditRate";
export const FREE_CLAIM_RATE_PERIOD_MS = 365 * DAY_MS;

/** Returns the public rate of free claims; null below the minimum of sales. */
export async function readFreeClaimRate(db: Db): Promise<FreeClaimRate | null> {
  const [row] = await db.select().from(publicFigures).where(eq(publicFigures.key, FREE_CLAIM_RATE_KEY));
  if (!row || row.n < FREE_CLAIM_RATE_MIN_SALES) return null;
  return { sales: row.n, claims: Math.round(row.value * row.n) };
}
