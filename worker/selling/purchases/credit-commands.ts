import { MINUTE_MS } from "../../../contract/durations.ts";
import { and, asc, eq, exists, inArray, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { isUniqueViolation } from "../../platform/db/unique.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { hasOwnRequest } from "../../leads/queries.ts";
import { giveLead } from "./buy-commands.ts";
import { isUnfinished, listUnfinishedClaims, SOLD_LEAD } from "./queries.ts";
import type { SoldLead } from "./rules.ts";

/** An unfinished claim by free claim counts as interrupted after this long. The sweep then finishes the claim. */
const STALE_CLAIM_MS = 2 * MINUTE_MS;

/** Errors after which the business certainly did not get the lead, so its free claim is returned. */
const LOST_CLAIM_CODES = new Set([
  "lead_held",
  "lead_taken",
  "lead_closed",
  "lead_changed",
  "lead_not_found",
  "already_bought",
  "region_paused",
  "not_found",
]);

/**
 * Reserves one of a business's free claims for a lead of its price, in one statement. Concurrent calls cannot reserve the
 * same free claim.
 * @returns the free claim's ID; null if the business has no such free claim left
 */
async function reserveFreeClaim(
  db: Db,
  businessId: string,
  leadId: string,
  now: number,
): Promise<string | null> {
  const next = sql`(SELECT id FROM free_claims WHERE buyer_id = ${businessId} AND used_at IS NULL AND revoked_at IS NULL
    AND price_cents = coalesce((SELECT price_cents FROM leads WHERE id = ${leadId}), price_cents) ORDER BY created_at LIMIT 1)`;
  const [row] = await db
    .update(freeClaims)
    .set({ usedForLeadId: leadId, usedAt: now })
    .where(sql`${freeClaims.id} = ${next}`)
    .returning({ id: freeClaims.id });
  return row?.id ?? null;
}

/** Makes a reserved free claim available again. Compare-and-set: only if the sweep has not taken over the claim since. */
async function returnFreeClaim(db: Db, id: string, reservedAt: number): Promise<void> {
  await db
    .update(freeClaims)
    .set({ usedForLeadId: null, usedAt: null })
    .where(and(eq(freeClaims.id, id), eq(freeClaims.usedAt, reservedAt)));
}

/** Returns a business's purchase of a lead, or null. */
async function ownedLead(db: Db, businessId: string, leadId: string): Promise<SoldLead | null> {
  const [row] = await db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.leadId, leadId),
        eq(leadPurchases.buyerId, businessId),
        sql`${leadPurchases.removedAt} IS NULL`,
      ),
    );
  return row ?? null;
}

async function isSold(db: Db, leadId: string): Promise<boolean> {
  const rows = await db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  return rows.length > 0;
}

/** Claims a lead with a reserved free claim. A definite refusal returns it. */
async function spendFreeClaim(
  context: Context,
  freeClaim: { id: string; reservedAt: number },
  order: { leadId: string; businessId: string; userId: string },
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const { leadId, ...who } = order;
  try {
    return await giveLead(context, leadId, { ...who, mode: "claimed" }, ctx);
  } catch (error) {
    // After any other error the claim may have succeeded. The sweep resolves this.
    if (error instanceof DomainError && LOST_CLAIM_CODES.has(error.code))
      await returnFreeClaim(context.db, freeClaim.id, freeClaim.reservedAt);
    throw error;
  }
}

/**
 * Claims a lead with a free claim instead of money, through the exchange like any sale. A free claim is never spent twice, and
 * is returned if the claim is refused. A repeated call after a successful claim returns the same purchase.
 * @throws DomainError own_request, no_credit, claim_under_way, and as `giveLead`
 */
export async function claimWithFreeClaim(
  context: Context,
  scope: BusinessScope,
  leadId: string,
  now: number,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const db = context.db;
  const { businessId, userId } = scope;
  const owned = await ownedLead(db, businessId, leadId);
  if (owned) return owned;
  if (await hasOwnRequest(db, businessId, leadId)) throw new DomainError("own_request");
  let id: string | null;
  try {
    id = await reserveFreeClaim(db, businessId, leadId, now);
  } catch (error) {
    // A lead can have only one free claim, across all businesses, and this lead already has one.
    if (!isUniqueViolation(error, "used_for_lead_id")) throw error;
    if (await isSold(db, leadId)) throw new DomainError("lead_taken", "Another provider got in first.");
    throw new DomainError(
      "claim_under_way",
      "Someone is claiming this lead right now. Try again in a minute.",
    );
  }
  if (!id) throw new DomainError("no_credit", "You have no free claim for a lead of this price.");
  return spendFreeClaim(context, { id, reservedAt: now }, { leadId, businessId, userId }, ctx);
}

/** Maximum number of claims per sweep. */
const BATCH = 50;

/** Marks claims that have become purchases as finished, so that later sweeps skip them. */
async function finishClaims(db: Db, before: number, now: number): Promise<void> {
  const purchase = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.leadId, freeClaims.usedForLeadId),
        eq(leadPurchases.buyerId, freeClaims.buyerId),
        // A lead that the business had bought by card did not cost it a free claim.
        eq(leadPurchases.mode, "claimed"),
      ),
    );
  const finished = db
    .select({ id: freeClaims.id })
    .from(freeClaims)
    .where(and(isUnfinished(before), exists(purchase)))
    .orderBy(asc(freeClaims.usedAt))
    .limit(BATCH);
  await db.update(freeClaims).set({ finishedAt: now }).where(inArray(freeClaims.id, finished));
}

/**
 * Finishes claims that were interrupted after the free claim was reserved. Calls the exchange again, which is safe if the
 * first call succeeded. Runs every minute.
 * @returns how many claims were retried, and how many of them failed
 */
export async function sweepClaims(context: Context, now: number): Promise<{ seen: number; failed: number }> {
  const db = context.db;
  const background = { waitUntil: () => {} };
  const before = now - STALE_CLAIM_MS;
  await finishClaims(db, before, now);
  const unfinished = await listUnfinishedClaims(db, before, BATCH);
  const results = await Promise.allSettled(
    unfinished.map(async ({ id, buyerId: businessId, leadId, usedAt }) => {
      // The new `usedAt` prevents the original call from returning the free claim.
      const taken = await db
        .update(freeClaims)
        .set({ usedAt: now })
        .where(and(eq(freeClaims.id, id), eq(freeClaims.usedAt, usedAt!)))
        .returning({ id: freeClaims.id });
      if (taken.length === 0) return;
      const order = { leadId: leadId!, businessId, userId: businessId };
      await spendFreeClaim(context, { id, reservedAt: now }, order, background).catch((error: unknown) => {
        if (!(error instanceof DomainError && LOST_CLAIM_CODES.has(error.code))) throw error;
      });
    }),
  );
  return {
    seen: results.length,
    failed: results.filter((result) => result.status === "rejected").length,
  };
}
