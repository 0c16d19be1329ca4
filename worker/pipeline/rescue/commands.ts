/** Passes on a request whose buyer did not call. */
import { and, eq, exists, getTableColumns, isNull, ne, notExists, type SQL, sql } from "drizzle-orm";

import { RESCUE_CONSENTS } from "../../../contract/consent.ts";
import { RESCUE_PRICE_CENTS } from "../../../contract/money.ts";
import { auditWhen, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { recheckCase } from "../../leads/guarantee-commands.ts";
import { findLead } from "../../leads/queries.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { enqueue, raiseAttention } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { customerUpdates, leadPurchases, leads } from "../../platform/db/schema.ts";
import { rescueLeadId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { leadRescued } from "./messages.ts";

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
