/** What must agree between an exchange's records and D1 before a restored market trades again. */
import type { Region } from "../../contract/regions.ts";
import { isOpen, type ListingRecord, type ListingState } from "../exchange/listing.ts";
import type { LeadRow } from "../leads/rules.ts";
import type { PurchaseRow } from "../purchases/rules.ts";

/** What is looked at of a lead in D1. */
export type ComparedLead = Pick<
  LeadRow,
  "region" | "generation" | "status" | "listingState" | "priceCents" | "expiresAt" | "erasedAt"
>;

/** What is looked at of a purchase in D1. */
export type ComparedPurchase = Pick<
  PurchaseRow,
  "leadId" | "buyerId" | "boughtByUserId" | "mode" | "amountPaidCents" | "purchasedAt" | "paymentIntentId"
>;

/** Losses that no reprojection mends: a person decides, in the admins' list of what needs attention. */
export const LOSSES = ["sale_without_lead", "sale_without_buyer", "sale_conflict"] as const;

/** The names of the fields in which D1 says something else than a sale does. */
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

/** The names of the fields in which D1's lead says something else than its listing. */
function leadFields(region: Region, record: ListingRecord, lead: ComparedLead): string[] {
  const { generation, state, priceCents, expiresAt, isErased } = record;
  // What an exchange says of a lead that has moved on since is history.
  if (lead.generation > generation) return [];
  const isHere = isOpen(state);
  // Sold, and closed by an exchange that has forgotten the sale: it was taken back, or has lost its storage.
  const isForgotten = lead.status === "sold" && !isHere && record.sale === null;
  const pairs: [field: string, ours: unknown, theirs: unknown][] = [
    ["generation", lead.generation, generation],
    ["region", lead.region, region],
    ["status", isForgotten ? state : lead.status, isHere ? "available" : state],
    ["listing", lead.listingState, isHere ? "listed" : "closed"],
    ["price", lead.priceCents, priceCents],
    ["end", lead.expiresAt, expiresAt],
    ["erasure", lead.erasedAt !== null || !isErased, true],
  ];
  return pairs.flatMap(([field, ours, theirs]) => (ours === theirs ? [] : [field]));
}

/**
 * How D1 differs from an exchange's record of a lead.
 * @param lead null: D1 does not know it
 * @param purchase that the record's sale names; undefined when D1 has none
 * @returns the fields' names; none, when the two agree
 */
export function recordDifferences(
  region: Region,
  record: ListingRecord,
  lead: ComparedLead | undefined,
  purchase: ComparedPurchase | undefined,
): string[] {
  if (!lead) return record.sale || isOpen(record.state) ? ["lead"] : [];
  return [...leadFields(region, record, lead), ...saleFields(record, purchase)];
}

/** Whether a lead can be bought where its exchange says this of it (undefined: it was never heard of there). */
export function isForSale(state: ListingState | undefined): boolean {
  return state !== undefined && isOpen(state);
}
