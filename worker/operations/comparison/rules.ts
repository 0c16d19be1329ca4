/** Compares the records of an exchange with D1 before a restored market trades again. */
import type { Region } from "../../../contract/regions.ts";
import { isOpen, type ListingRecord, type ListingState, openOffer } from "../../exchange/listing.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

export type ComparedLead = Pick<
  LeadRow,
  "region" | "generation" | "status" | "listingState" | "priceCents" | "expiresAt" | "erasedAt"
>;

export type ComparedPurchase = Pick<
  PurchaseRow,
  "leadId" | "buyerId" | "boughtByUserId" | "mode" | "amountPaidCents" | "purchasedAt" | "paymentIntentId"
>;

/** Returns the names of the fields in which D1's purchase differs from the exchange's sale. */
function saleFields({ leadId, sale }: ListingRecord, purchase: ComparedPurchase | undefined): string[] {
  if (!sale) return [];
  if (!purchase) return ["purchase"];
  const pairs: [field: string, ours: unknown, theirs: unknown][] = [
    ["purchase's lead", purchase.leadId, leadId],
    ["buyer", purchase.buyerId, sale.businessId],
    ["bought by", purchase.boughtByUserId, sale.userId],
    ["mode", purchase.mode, sale.mode],
    ["amount", purchase.amountPaidCents, sale.amountCents],
    ["purchase time", purchase.purchasedAt, sale.soldAt],
    ["payment", purchase.paymentIntentId, sale.paymentIntentId ?? null],
  ];
  return pairs.flatMap(([field, ours, theirs]) => (ours === theirs ? [] : [field]));
}

/** Returns the names of the fields in which D1's lead differs from its listing. */
function leadFields(region: Region, record: ListingRecord, lead: ComparedLead): string[] {
  const { generation, state, priceCents, expiresAt, isErased } = record;
  // D1 has a newer generation, so this record is outdated.
  if (lead.generation > generation) return [];
  const isHere = isOpen(state);
  // D1 says sold, but the closed listing has no sale. The exchange was rewound or has lost its storage.
  const isSaleMissing = lead.status === "sold" && !isHere && record.sale === null;
  const pairs: [field: string, ours: unknown, theirs: unknown][] = [
    ["generation", lead.generation, generation],
    ["region", lead.region, region],
    ["status", isSaleMissing ? state : lead.status, isHere ? "available" : state],
    ["listing", lead.listingState, isHere ? (openOffer(record) ? "pending" : "listed") : "closed"],
    ["price", lead.priceCents, priceCents],
    ["end", lead.expiresAt, expiresAt],
    ["erasure", lead.erasedAt !== null || !isErased, true],
  ];
  return pairs.flatMap(([field, ours, theirs]) => (ours === theirs ? [] : [field]));
}

/**
 * Compares D1 with an exchange's record of a lead.
 * @param lead undefined if D1 does not know the lead
 * @param purchase the purchase in the record's sale; undefined if D1 does not have it
 * @returns the names of the fields that differ; empty if all agree
 */
export function compareRecord(
  region: Region,
  record: ListingRecord,
  lead: ComparedLead | undefined,
  purchase: ComparedPurchase | undefined,
): string[] {
  if (!lead) return record.sale || isOpen(record.state) ? ["lead"] : [];
  return [...leadFields(region, record, lead), ...saleFields(record, purchase)];
}

/** Whether a lead in this state can be bought. `undefined` means its exchange does not know the lead. */
export function isStateForSale(state: ListingState | undefined): boolean {
  return state !== undefined && isOpen(state);
}
