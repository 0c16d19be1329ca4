/** Reads what D1 knows about the leads of an exchange's records. */
import { and, inArray } from "drizzle-orm";

import type { ListingRecord } from "../../exchange/listing.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention, leadPurchases, leads, payments, users } from "../../platform/db/schema.ts";
import type { D1Facts, KnownLead } from "./market-rules.ts";
import { LOSSES } from "./rules.ts";

const LEAD = {
  id: leads.id,
  region: leads.region,
  generation: leads.generation,
  status: leads.status,
  listingState: leads.listingState,
  exchangeVersion: leads.exchangeVersion,
  priceCents: leads.priceCents,
  expiresAt: leads.expiresAt,
  erasedAt: leads.erasedAt,
};

const PURCHASE = {
  id: leadPurchases.id,
  leadId: leadPurchases.leadId,
  buyerId: leadPurchases.buyerId,
  boughtByUserId: leadPurchases.boughtByUserId,
  mode: leadPurchases.mode,
  amountPaidCents: leadPurchases.amountPaidCents,
  purchasedAt: leadPurchases.purchasedAt,
  paymentIntentId: leadPurchases.paymentIntentId,
  removedAt: leadPurchases.removedAt,
};

/** Returns D1's facts about leads, by ID. D1 binds at most 100 values. */
async function findFacts(
  db: Db,
  leadIds: readonly string[],
  buyerIds: readonly string[],
): Promise<(leadId: string, buyerId: string | null) => D1Facts> {
  const ids = [...leadIds];
  const [leadRows, purchases, ledger, buyers, losses] = await db.batch([
    db.select(LEAD).from(leads).where(inArray(leads.id, ids)),
    db.select(PURCHASE).from(leadPurchases).where(inArray(leadPurchases.leadId, ids)),
    db
      .select({ leadId: payments.leadId, id: payments.stripePaymentIntentId, state: payments.state })
      .from(payments)
      .where(inArray(payments.leadId, ids)),
    db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, [...buyerIds])),
    db
      .select({ leadId: attention.subjectId, resolvedAt: attention.resolvedAt })
      .from(attention)
      .where(and(inArray(attention.kind, [...LOSSES]), inArray(attention.subjectId, ids))),
  ]);
  const leadOf = new Map(leadRows.map((row) => [row.id, row]));
  const knownBuyers = new Set(buyers.map(({ id }) => id));
  const lossAlertOf = (leadId: string) => {
    const loss = losses.find((one) => one.leadId === leadId);
    return loss ? (loss.resolvedAt === null ? "open" : "resolved") : null;
  };
  return (leadId, buyerId) => ({
    lead: leadOf.get(leadId) ?? null,
    purchases: purchases.filter((purchase) => purchase.leadId === leadId),
    payments: ledger.filter((payment) => payment.leadId === leadId),
    hasBuyer: buyerId !== null && knownBuyers.has(buyerId),
    lossAlert: lossAlertOf(leadId),
  });
}

export type RecordWithFacts = { record: ListingRecord; facts: D1Facts };

const buyerOf = ({ sale }: ListingRecord) => sale?.businessId ?? null;

/** Returns each record with D1's facts about its lead. */
export async function withFacts(db: Db, records: readonly ListingRecord[]): Promise<RecordWithFacts[]> {
  const ids = records.map(({ leadId }) => leadId);
  const factsOf = await findFacts(
    db,
    ids,
    records.flatMap((record) => buyerOf(record) ?? []),
  );
  return records.map((record) => ({ record, facts: factsOf(record.leadId, buyerOf(record)) }));
}

export type LeadWithFacts = { lead: KnownLead; facts: D1Facts };

/** Returns leads that no exchange knows, with D1's other facts about each. */
export async function findUnknownLeads(db: Db, ids: readonly string[]): Promise<LeadWithFacts[]> {
  const factsOf = await findFacts(db, ids, []);
  return ids.flatMap((id) => {
    const facts = factsOf(id, null);
    return facts.lead ? [{ lead: facts.lead, facts }] : [];
  });
}
