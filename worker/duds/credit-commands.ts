import { and, asc, eq, exists, inArray, sql } from "drizzle-orm";

import { type Db, database } from "../db/client.ts";
import { claimCredits, leadPurchases, leads } from "../db/schema.ts";
import { breaksUnique } from "../db/unique.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { giveLead } from "../purchases/give-commands.ts";
import type { SoldLead } from "../purchases/rules.ts";
import { isUnfinished, listUnfinishedClaims } from "./queries.ts";
import { STALE_CLAIM_MS } from "./rules.ts";

/** Answers after which nobody can have been given the lead: the credit goes back. */
const LOST = new Set([
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
 * Sets one of a business's credits aside for a lead, in one statement: of many who try at once, as many
 * get through as there are credits.
 * @returns the credit's id; null when the business has none left
 */
async function reserveCredit(
  db: Db,
  businessId: string,
  leadId: string,
  now: number,
): Promise<string | null> {
  const next = sql`(SELECT id FROM claim_credits WHERE buyer_id = ${businessId} AND used_at IS NULL ORDER BY created_at LIMIT 1)`;
  const [row] = await db
    .update(claimCredits)
    .set({ usedForLeadId: leadId, usedAt: now })
    .where(sql`${claimCredits.id} = ${next}`)
    .returning({ id: claimCredits.id });
  return row?.id ?? null;
}

/** Gives a credit back, unless somebody else has taken the claim over since. */
async function returnCredit(db: Db, id: string, reservedAt: number): Promise<void> {
  await db
    .update(claimCredits)
    .set({ usedForLeadId: null, usedAt: null })
    .where(and(eq(claimCredits.id, id), eq(claimCredits.usedAt, reservedAt)));
}

/** What a business already got of a lead; null for nothing. */
async function ownedLead(db: Db, businessId: string, leadId: string): Promise<SoldLead | null> {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
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

/** The market's answer to a claim for which a credit is set aside. A clear no gives the credit back. */
async function spend(
  env: Env,
  credit: { id: string; reservedAt: number },
  order: { leadId: string; businessId: string; userId: string },
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const { leadId, ...who } = order;
  try {
    return await giveLead(env, leadId, { ...who, mode: "claimed" }, ctx);
  } catch (error) {
    // Whatever is not a clear no may have been a yes: the sweep finds out.
    if (error instanceof DomainError && LOST.has(error.code))
      await returnCredit(database(env.DB), credit.id, credit.reservedAt);
    throw error;
  }
}

/**
 * Claims a lead with a credit instead of money, through the exchange like any sale. A credit is never
 * spent twice; a lost claim gives it back. Asking again for a lead that was given answers with it.
 * @throws DomainError no_credit, claim_under_way, and the exchange's refusals as `giveLead` throws them
 */
export async function claimWithCredit(
  env: Env,
  scope: BusinessScope,
  leadId: string,
  now: number,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const db = database(env.DB);
  const { businessId, userId } = scope;
  const owned = await ownedLead(db, businessId, leadId);
  if (owned) return owned;
  let id: string | null;
  try {
    id = await reserveCredit(db, businessId, leadId, now);
  } catch (error) {
    // One credit per lead, whoever it belongs to: somebody else's is on this one.
    if (!breaksUnique(error, "used_for_lead_id")) throw error;
    if (await isSold(db, leadId))
      throw new DomainError("lead_taken", "Another provider was a moment before you.");
    throw new DomainError("claim_under_way", "This lead is being claimed just now. Look again in a minute.");
  }
  if (!id) throw new DomainError("no_credit", "You have no free claim left.");
  return spend(env, { id, reservedAt: now }, { leadId, businessId, userId }, ctx);
}

/** Claims that a sweep looks at. */
const BATCH = 50;

/** Notes which claims have become purchases, so that no sweep looks at them again. */
async function finishClaims(db: Db, before: number, now: number): Promise<void> {
  const purchase = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.leadId, claimCredits.usedForLeadId),
        eq(leadPurchases.buyerId, claimCredits.buyerId),
      ),
    );
  const finished = db
    .select({ id: claimCredits.id })
    .from(claimCredits)
    .where(and(isUnfinished(before), exists(purchase)))
    .orderBy(asc(claimCredits.usedAt))
    .limit(BATCH);
  await db.update(claimCredits).set({ finishedAt: now }).where(inArray(claimCredits.id, finished));
}

/**
 * Ends claims that were cut off between the credit and the lead: the exchange is asked again, which is
 * harmless if it had said yes. Runs every minute.
 * @returns how many were looked at and how many have to wait
 */
export async function sweepClaims(env: Env, now: number): Promise<{ seen: number; failed: number }> {
  const db = database(env.DB);
  const background = { waitUntil: () => {} };
  const before = now - STALE_CLAIM_MS;
  await finishClaims(db, before, now);
  const unfinished = await listUnfinishedClaims(db, before, BATCH);
  const results = await Promise.allSettled(
    unfinished.map(async ({ id, buyerId: businessId, leadId, usedAt }) => {
      // Taken over under a new time, so that whoever began it cannot give the credit back any more.
      const taken = await db
        .update(claimCredits)
        .set({ usedAt: now })
        .where(and(eq(claimCredits.id, id), eq(claimCredits.usedAt, usedAt!)))
        .returning({ id: claimCredits.id });
      if (taken.length === 0) return;
      const order = { leadId: leadId!, businessId, userId: businessId };
      await spend(env, { id, reservedAt: now }, order, background).catch((error: unknown) => {
        if (!(error instanceof DomainError && LOST.has(error.code))) throw error;
      });
    }),
  );
  return {
    seen: results.length,
    failed: results.filter((result) => result.status === "rejected").length,
  };
}
