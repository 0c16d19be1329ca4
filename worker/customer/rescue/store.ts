/** Passes a request on if its buyer did not call, and finds the businesses that get the offer. */
import {
  and,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";

import { RESCUE_CONSENTS } from "../../../contract/consent.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { RESCUE_PRICE_CENTS } from "../../../contract/money.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { regionOfLead } from "../../exchange/queries.ts";
import { auditWhen, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import { businessesOfPerson } from "../../identity/providers/queries.ts";
import { listLead, type RescueTerms } from "../../leads/commands.ts";
import { findLead } from "../../leads/queries.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { enqueue, raiseAttention } from "../../outbox/commands.ts";
import { recheckCase } from "../../pipeline/guarantee/case-commands.ts";
import { findSlowCallers } from "../../pipeline/standing/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { alertSettings } from "../../platform/db/messages.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { rescueLeadId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { leadRescued } from "./messages.ts";
import { chooseOffers } from "./rules.ts";

/** The purchase whose buyer did not call, and the lead that it gives rise to. */
type Rescue = { purchase: PurchaseRow; id: string; now: number; lifetimeMs: number };

/** Returns the columns of a rescued lead: a copy of the sold one, as a new lead that no provider has seen. */
function copyColumns({ purchase, id, now, lifetimeMs }: Rescue) {
  const own: Partial<Record<keyof typeof leads.$inferSelect, SQL>> = {
    id: sql`${id}`,
    rescuedFromId: sql`${purchase.leadId}`,
    excludedBusinessId: sql`${purchase.buyerId}`,
    priceCents: sql`${RESCUE_PRICE_CENTS}`,
    createdAt: sql`${now}`,
    expiresAt: sql`${now + lifetimeMs}`,
    generation: sql`1`,
    exchangeVersion: sql`0`,
    status: sql`'available'`,
    listingState: sql`'pending'`,
    quarantineReasons: sql`'[]'`,
    digitTries: sql`0`,
    // These belong to the request and stay on its first lead.
    submissionId: sql`NULL`,
    reference: sql`NULL`,
    originKey: sql`NULL`,
    reviewedAt: sql`NULL`,
    withdrawnReason: sql`NULL`,
  };
  const columns = Object.entries(getTableColumns(leads)).map(([name, column]) => {
    const value = own[name as keyof typeof own];
    return [name, value ? value.as(column.name) : column];
  });
  return Object.fromEntries(columns) as ReturnType<typeof getTableColumns<typeof leads>>;
}

/**
 * Returns the statement that writes a rescued lead. It writes nothing if the lead exists, or if the customer has been
 * erased, or has withdrawn the request or asked for the erasure in the meantime.
 */
function insertRescue(db: Db, rescue: Rescue) {
  const { leadId } = rescue.purchase;
  const withdrawal = db
    .select({ id: customerUpdates.id })
    .from(customerUpdates)
    .where(
      and(
        eq(customerUpdates.leadId, leadId),
        sql`${customerUpdates.kind} IN ('withdrawn', 'pending_erasure')`,
      ),
    );
  return db
    .insert(leads)
    .select(
      db
        .select(copyColumns(rescue))
        .from(leads)
        .where(
          and(
            eq(leads.id, leadId),
            isNull(leads.erasedAt),
            // One rescue for a request.
            isNull(leads.rescuedFromId),
            ne(leads.source, "manual"),
            notExists(withdrawal),
          ),
        ),
    )
    .onConflictDoNothing();
}

/** Returns the statement that ends the purchase's call clock. `rescueLeadId` is set if the rescued lead exists. */
function endClock(db: Db, { purchase, id, now }: Rescue) {
  const rescued = sql`json_object('state', 'rescued', 'rescueLeadId', ${id},
    'rescuedAt', coalesce(${leadPurchases.callClock} ->> 'rescuedAt', ${now}))`;
  return db
    .update(leadPurchases)
    .set({
      callClock: sql`json_patch(coalesce(${leadPurchases.callClock}, '{}'),
        CASE WHEN EXISTS (SELECT 1 FROM leads WHERE id = ${id}) THEN ${rescued} ELSE '{"state":"over"}' END)`,
      clockDueAt: null,
      updatedAt: nextUpdatedAt(now),
    })
    .where(
      and(
        eq(leadPurchases.id, purchase.id),
        sql`${leadPurchases.clockEndsAt} IS NOT NULL`,
        sql`${leadPurchases.callClock} ->> 'rescueLeadId' IS NULL`,
      ),
    );
}

/** Asks an admin to find the customer a provider, because we may not pass the request on ourselves. */
async function askAdmin(context: Context, rescue: Rescue): Promise<void> {
  const { purchase, now } = rescue;
  const detail = "The provider did not call. Please find the customer another provider.";
  await raiseAttention(context.db, "rescue_needed", purchase.leadId, detail, now);
  await endClock(context.db, rescue);
}

/**
 * Lists a stored request on its market, a rescued one with its offers. Idempotent.
 * @returns as `listLead`
 * @throws the exchange's or D1's error; the lead stays pending and the sweep tries again
 */
export async function putOnMarket(context: Context, lead: LeadRow): Promise<boolean> {
  return listLead(context, lead, await findRescueTerms(context, lead, Date.now()));
}

/** Lists a rescued lead. If that fails, the sweep lists it within a minute. */
async function listRescue(context: Context, lead: LeadRow): Promise<void> {
  if (lead.listingState !== "pending") return;
  await putOnMarket(context, lead).catch((error: unknown) => {
    log("warn", "listing_delayed", { leadId: lead.id, error });
  });
}

/**
 * Passes on the request of a purchase: its call clock has run out, and the customer says that no provider called. The
 * request becomes a new lead, which the runners-up are offered first. Safe to repeat after a crash at any step: the
 * same batch writes the lead and ends the clock, and the sweep lists pending leads. The caller notifies the buyer's windows.
 * @throws Error if D1 is unavailable. The sweep of the clocks retries.
 */
export async function startRescue(context: Context, purchase: PurchaseRow, now: number): Promise<void> {
  const { db, settings } = context;
  const sold = await findLead(db, purchase.leadId);
  if (!sold) return;
  const id = rescueLeadId(sold.region, sold.id);
  const rescue = { purchase, id, now, lifetimeMs: settings.leadLifetimeMs };
  // Under older wordings, the customer agreed to one provider only.
  if (!RESCUE_CONSENTS.has(sold.consentWording ?? "")) return askAdmin(context, rescue);
  const isNew = exists(
    db
      .select({ id: leads.id })
      .from(leads)
      .where(and(eq(leads.id, id), eq(leads.createdAt, now))),
  );
  const entry = {
    at: now,
    action: "lead.rescued",
    subjectType: "lead",
    subjectId: sold.id,
    after: { purchaseId: purchase.id, rescueLeadId: id, excludedBusinessId: purchase.buyerId },
  };
  await db.batch([
    insertRescue(db, rescue),
    auditWhen(db, isNew, SYSTEM_ACTOR, entry),
    enqueue(
      db,
      leadRescued,
      { purchaseId: purchase.id, leadId: sold.id, buyerId: purchase.buyerId, rescueLeadId: id },
      now,
    ),
    endClock(db, rescue),
    // The guarantee no longer covers the purchase.
    recheckCase(db, eq(leadPurchases.id, purchase.id), now),
  ]);
  const lead = await findLead(db, id);
  if (lead) await listRescue(context, lead);
  await context.DELIVER?.(null);
}

// Finds the businesses that get the offer of a rescued lead.

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

/**
 * Returns who gets a rescued lead: the queue of its offers, and its first buyer, who cannot buy it.
 * @returns null for a lead that was not rescued
 * @throws an error if D1 or the exchange of the first lead does not respond
 */
async function findRescueTerms(
  context: Context,
  { id: leadId, rescuedFromId, excludedBusinessId }: LeadRow,
  now: number,
): Promise<RescueTerms | null> {
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
