import { formatCents } from "../../../contract/money.ts";
import { and, eq, ne, notExists, or, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments, users } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { eraseLead } from "../erasure/commands.ts";
import { newId } from "../../platform/ids.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { projectListing } from "../../exchange/projection-commands.ts";
import { raiseAttentionOnce } from "../../outbox/attention-commands.ts";
import { fateOf } from "../rewinding/rules.ts";
import { isOpen, type ListingRecord, type Sale } from "../../exchange/listing.ts";
import { type Counts } from "../operator/rules.ts";
import { buildLeg } from "../region-walk/commands.ts";
import { findRecordedLeads } from "../region-walk/queries.ts";
import { RECORDS } from "../region-walk/sources.ts";

type Outcome =
  | "unchanged"
  | "purchases_restored"
  | "payments_restored"
  /** D1 had stored this version, but its values have changed since. */
  | "purchases_corrected"
  | "leads_corrected"
  | "leads_erased_again"
  /** The lead is on the market, but D1 does not know it or has closed it. */
  | "orphans_withdrawn"
  | "orphans_held"
  | "sales_without_lead"
  | "sales_without_buyer"
  | "sales_in_conflict";

/** Restores the row of a card payment that D1 has lost. Stripe's events restore later refunds. */
async function restorePayment(db: Db, region: Region, leadId: string, sale: Sale): Promise<boolean> {
  const { holdId, paymentIntentId, businessId, userId, amountCents, soldAt } = sale;
  if (!holdId || !paymentIntentId) return false;
  const written = await db
    .insert(payments)
    .values({
      id: newId("pay"),
      holdId,
      leadId,
      region,
      buyerId: businessId,
      userId,
      stripePaymentIntentId: paymentIntentId,
      state: "succeeded",
      amountCents,
      succeededAt: soldAt,
      createdAt: soldAt,
      updatedAt: soldAt,
    })
    .onConflictDoNothing()
    .returning({ id: payments.id });
  return written.length > 0;
}

/** Alerts the admins to a sale that cannot be written because D1 has lost the lead or the buyer. */
async function reportLost(db: Db, leadId: string, sale: Sale, lost: "lead" | "buyer"): Promise<Outcome> {
  const { purchaseId, businessId, amountCents, paymentIntentId } = sale;
  const paid = `${formatCents(amountCents)}${paymentIntentId ? `, ${paymentIntentId}` : ""}`;
  const detail = `The exchange sold this lead to ${businessId} (${purchaseId}, ${paid}), but D1 has lost the ${lost}`;
  await raiseAttentionOnce(db, `sale_without_${lost}`, leadId, detail, sale.soldAt);
  return `sales_without_${lost}`;
}

/** Corrects a purchase in D1 that differs from the exchange's sale. */
async function correctPurchase(db: Db, leadId: string, sale: Sale): Promise<boolean> {
  const terms = {
    buyerId: sale.businessId,
    boughtByUserId: sale.userId,
    mode: sale.mode,
    amountPaidCents: sale.amountCents,
    purchasedAt: sale.soldAt,
    paymentIntentId: sale.paymentIntentId ?? null,
  };
  const differs = Object.entries(terms).map(
    ([name, value]) => sql`${leadPurchases[name as keyof typeof terms]} IS NOT ${value}`,
  );
  const corrected = await db
    .update(leadPurchases)
    .set(terms)
    .where(and(eq(leadPurchases.id, sale.purchaseId), eq(leadPurchases.leadId, leadId), or(...differs)))
    .returning({ id: leadPurchases.id });
  return corrected.length > 0;
}

/** Corrects a closed lead's state in D1, if D1 has stored the same version. A bought lead stays sold. */
async function correctLead(db: Db, record: ListingRecord): Promise<boolean> {
  const { leadId, generation, version, state, sale } = record;
  if (isOpen(state)) return false;
  const bought = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  const corrected = await db
    .update(leads)
    .set({ status: state, listingState: "closed" })
    .where(
      and(
        eq(leads.id, leadId),
        eq(leads.generation, generation),
        eq(leads.exchangeVersion, version),
        or(ne(leads.status, state), ne(leads.listingState, "closed")),
        sale ? undefined : notExists(bought),
      ),
    )
    .returning({ id: leads.id });
  return corrected.length > 0;
}

/** Returns whether D1 has closed a lead that its exchange still offers. Returns false until D1 has this version. */
function isOver(region: Region, record: ListingRecord, lead: LeadRow): boolean {
  const isAlreadyWritten = lead.generation > record.generation || lead.exchangeVersion >= record.version;
  return isAlreadyWritten && isOpen(record.state) && fateOf(region, record, lead) === "close";
}

async function reprojectSale(db: Db, region: Region, record: ListingRecord, sale: Sale): Promise<Outcome[]> {
  const { leadId } = record;
  const [[buyer], [known]] = await db.batch([
    db.select({ id: users.id }).from(users).where(eq(users.id, sale.businessId)),
    db.select({ id: leadPurchases.id }).from(leadPurchases).where(eq(leadPurchases.id, sale.purchaseId)),
  ]);
  if (!buyer) return [await reportLost(db, leadId, sale, "buyer")];
  const outcome = await projectListing(db, record, null);
  if (outcome === "conflict") return ["sales_in_conflict"];
  const hasPayment = await restorePayment(db, region, leadId, sale);
  const isCorrected = await correctPurchase(db, leadId, sale);
  return [
    known ? (isCorrected ? "purchases_corrected" : "unchanged") : "purchases_restored",
    ...(hasPayment ? (["payments_restored"] as const) : []),
  ];
}

/** Takes a lead off a market that should not offer it. @param toRegion the lead's region in D1 */
async function withdrawOrphan(
  context: Context,
  region: Region,
  record: ListingRecord,
  toRegion: Region | null = null,
): Promise<Outcome> {
  const { leadId, generation, priceCents, expiresAt } = record;
  const terms = { leadId, generation, priceCents, expiresAt };
  const answer = await exchangeOf(context, region)!.decide({
    type: "withdraw",
    ...terms,
    byUserId: null,
    toRegion,
  });
  return answer.ok ? "orphans_withdrawn" : "orphans_held";
}

/** Takes an erased customer's lead off the market, and erases the customer from the exchange's record. */
async function eraseOrphan(context: Context, region: Region, record: ListingRecord): Promise<Outcome> {
  const { leadId, generation, priceCents, expiresAt } = record;
  const { erased } = await exchangeOf(context, region)!.erase({ leadId, generation, priceCents, expiresAt });
  return erased ? "leads_erased_again" : "orphans_held";
}

async function reprojectRecord(
  context: Context,
  region: Region,
  record: ListingRecord,
  lead: LeadRow | undefined,
  now: number,
): Promise<Outcome[]> {
  const db = context.db;
  const { leadId, sale, state } = record;
  if (!lead) {
    if (sale) return [await reportLost(db, leadId, sale, "lead")];
    return isOpen(state) ? [await withdrawOrphan(context, region, record)] : ["unchanged"];
  }
  if (isOpen(state) && lead.erasedAt !== null) return [await eraseOrphan(context, region, record)];
  if (isOver(region, record, lead))
    return [await withdrawOrphan(context, region, record, lead.region === region ? null : lead.region)];
  const outcomes: Outcome[] = sale ? await reprojectSale(db, region, record, sale) : ["unchanged"];
  if (!sale) await projectListing(db, record, null);
  if (await correctLead(db, record)) outcomes.push("leads_corrected");
  if (record.isErased && lead.erasedAt === null) {
    await eraseLead(context, lead, { reason: "request", jobId: null }, now);
    outcomes.push("leads_erased_again");
  }
  return outcomes;
}

/**
 * Writes the exchanges' decisions since the walk's start to D1. Restores lost purchases and payments, and closes
 * leads that left the market. Repeats erasures that a restore undid. Stages and notes from after the restore point
 * are lost, because only D1 had them.
 */
export const REPROJECTION = {
  records: buildLeg(RECORDS, async ({ env, db, now }, records, region) => {
    const known = await findRecordedLeads(db, records);
    const counts: Counts = { records: records.length };
    for (const record of records) {
      for (const outcome of await reprojectRecord(env, region, record, known.get(record.leadId), now))
        counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }),
};
