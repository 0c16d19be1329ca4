/** Finds the businesses that get the offer of a rescued lead, and the offers of a business. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import type { Rescue } from "../../exchange/listing.ts";
import { regionOfLead } from "../../exchange/queries.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { businessesOfPerson } from "../../identity/providers/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, leadPurchases, leads, rescueOffers, users } from "../../platform/db/schema.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { LeadRow } from "../rules.ts";
import { findSlowCallers } from "../standing/queries.ts";
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
