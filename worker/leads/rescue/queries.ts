/** Finds the businesses that get the offer of a rescued lead, and the offers of a business. */

import { and, asc, count, eq, gt, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { type CallShare, isCounted, isLowShare, STANDING_DAYS } from "../../../contract/standing.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import type { Rescue } from "../../exchange/listing.ts";
import { regionOfLead } from "../../exchange/queries.ts";
import { businessesOfPerson } from "../../identity/providers/queries.ts";
import type { Context } from "../../platform/context.ts";
import { callResult, hasCountedClock } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, leadPurchases, leads, rescueOffers, users } from "../../platform/db/schema.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { LeadRow } from "../rules.ts";
import { chooseOffers } from "./rules.ts";

/** A person who ignored this many offers within this time gets no more offers. */
const MAX_IGNORED_OFFERS = 2;
const IGNORED_OFFERS_MS = 30 * DAY_MS;

const ACCOUNT = { id: users.id, phone: users.phone, email: users.email, abn: users.abn };

/** Returns the accounts that can still buy the lead, of the runners-up. */
function selectEligible(context: Context, leadId: string, runnersUp: string[], now: number) {
  const { db, settings } = context;
  const ignored = sql`(SELECT count(*) FROM rescue_offers WHERE business_id IN ${businessesOfPerson(sql`users.id`)}
    AND outcome = 'ignored' AND ends_at > ${now - IGNORED_OFFERS_MS})`;
  // After a move or a loss of storage, the lead is listed again. An offer that has ended is not made twice.
  const hadOffer = sql`EXISTS (SELECT 1 FROM rescue_offers WHERE lead_id = ${leadId}
    AND business_id = ${users.id} AND outcome IS NOT NULL)`;
  return db
    .select(ACCOUNT)
    .from(users)
    .leftJoin(alertSettings, eq(alertSettings.userId, users.id))
    .where(
      and(
        inArray(users.id, runnersUp),
        eq(users.userType, "provider"),
        eq(users.isActive, true),
        isNotNull(users.payingSince),
        settings.requireVerified ? eq(users.isVerified, true) : undefined,
        sql`coalesce(${alertSettings.pausedUntil}, 0) <= ${now}`,
        sql`${ignored} < ${MAX_IGNORED_OFFERS}`,
        sql`NOT ${hadOffer}`,
      ),
    );
}

/** Returns the leads that are offered to a business, with the end of each offer. */
export function listOffers(db: Db, businessId: string, now: number) {
  return db
    .select({ lead: leads, endsAt: rescueOffers.endsAt })
    .from(rescueOffers)
    .innerJoin(leads, eq(leads.id, rescueOffers.leadId))
    .where(
      and(
        eq(rescueOffers.businessId, businessId),
        // A hold outlives its offer.
        gt(rescueOffers.endsAt, now - HOLD_MS),
        isNull(rescueOffers.outcome),
        eq(leads.status, "available"),
      ),
    )
    .orderBy(asc(rescueOffers.endsAt));
}

/**
 * Returns who gets a rescued lead: the queue of its offers, and its first buyer, who cannot buy it.
 * @returns null for a lead that was not rescued
 * @throws an error if D1 or the exchange of the first lead does not respond
 */
export async function findRescueTerms(
  context: Context,
  { id: leadId, rescuedFromId, excludedBusinessId }: LeadRow,
  now: number,
): Promise<Pick<Rescue, "excludedBusinessId" | "queue"> | null> {
  if (!rescuedFromId || !excludedBusinessId) return null;
  const { db, settings } = context;
  const exchange = exchangeOf(context, (await regionOfLead(db, rescuedFromId)) ?? "");
  const runnersUp = exchange ? await withTimeout<string[]>(exchange.runnersUp(rescuedFromId)) : [];
  if (runnersUp.length === 0) return { excludedBusinessId, queue: [] };
  const [eligible, account, purchase] = await db.batch([
    selectEligible(context, leadId, runnersUp, now),
    db.select(ACCOUNT).from(users).where(eq(users.id, excludedBusinessId)),
    db
      .select({
        id: leadPurchases.buyerId,
        phone: leadPurchases.buyerPhone,
        email: leadPurchases.buyerEmail,
        abn: sql<null>`NULL`.as("abn"),
      })
      .from(leadPurchases)
      .where(eq(leadPurchases.leadId, rescuedFromId)),
  ]);
  const slow =
    settings.slowCallers === "no_rescue_offers"
      ? await findSlowCallers(db, runnersUp, now)
      : new Set<string>();
  const order = runnersUp.filter((id) => !slow.has(id));
  return { excludedBusinessId, queue: chooseOffers(order, eligible, [...account, ...purchase]) };
}

// The share of recent leads that businesses called in time. The whole standing is in worker/pipeline/standing.

/** Returns the start of the recent standing, epoch ms. */
export const recentSince = (now: number) => now - STANDING_DAYS * DAY_MS;

/**
 * Returns the share of recent leads called in time, by business. Businesses without counted leads are missing.
 * @param businessIds at most a page of them
 */
export async function readCallShares(
  db: Db,
  businessIds: readonly string[],
  now: number,
): Promise<Map<string, CallShare>> {
  if (businessIds.length === 0) return new Map();
  const result = callResult(now);
  const rows = await db
    .select({ businessId: leadPurchases.buyerId, result, sales: count() })
    .from(leadPurchases)
    .where(
      and(
        // JSON, because D1 binds at most 100 values.
        sql`${leadPurchases.buyerId} IN (SELECT value FROM json_each(${JSON.stringify(businessIds)}))`,
        hasCountedClock,
        gte(leadPurchases.purchasedAt, recentSince(now)),
      ),
    )
    .groupBy(leadPurchases.buyerId, sql`2`);
  const shares = new Map<string, CallShare>();
  for (const { businessId, result: found, sales } of rows) {
    if (!isCounted(found)) continue;
    const { counted, inTime } = shares.get(businessId) ?? { counted: 0, inTime: 0 };
    shares.set(businessId, {
      counted: counted + sales,
      inTime: inTime + (found === "in_time" ? sales : 0),
    });
  }
  return shares;
}

/** Returns which of these businesses have a low standing. The calls of all businesses of the same person count. */
export async function findSlowCallers(
  db: Db,
  businessIds: readonly string[],
  now: number,
): Promise<Set<string>> {
  const { results } =
    await db.run(sql`SELECT asked.value AS id, users.id AS "of" FROM json_each(${JSON.stringify(businessIds)}) AS asked
    CROSS JOIN users ON users.id IN ${businessesOfPerson(sql`asked.value`)}`);
  const related = results as { id: string; of: string }[];
  const shares = await readCallShares(db, [...new Set(related.map((row) => row.of))], now);
  const isLow = (id: string) => {
    const own = related.flatMap((row) => (row.id === id ? (shares.get(row.of) ?? []) : []));
    const sum = (field: keyof CallShare) => own.reduce((total, share) => total + share[field], 0);
    return isLowShare({ counted: sum("counted"), inTime: sum("inTime") });
  };
  return new Set(businessIds.filter(isLow));
}
