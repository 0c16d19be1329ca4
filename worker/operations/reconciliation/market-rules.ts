/** Compares an exchange's record of a lead with D1, and names the repair. */
import { MINUTE_MS } from "../../../contract/durations.ts";
import { formatCents } from "../../../contract/money.ts";
import type { Region } from "../../../contract/regions.ts";
import { isOpen, type ListingRecord, openOffer } from "../../exchange/listing.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { LedgerRow } from "../../selling/payments/rules.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import type { Difference } from "./rules.ts";

/** While a decision has been in the exchange's outbox for less than this, the exchange still writes it by itself. */
const OUTBOX_MS = 5 * MINUTE_MS;

/** D1's row of a lead. */
export type KnownLead = Pick<
  LeadRow,
  | "id"
  | "region"
  | "generation"
  | "status"
  | "listingState"
  | "exchangeVersion"
  | "priceCents"
  | "expiresAt"
  | "erasedAt"
>;

export type KnownPurchase = Pick<
  PurchaseRow,
  | "id"
  | "leadId"
  | "buyerId"
  | "boughtByUserId"
  | "mode"
  | "amountPaidCents"
  | "purchasedAt"
  | "paymentIntentId"
  | "removedAt"
>;

/** What D1 knows about a lead. */
export type D1Facts = {
  /** Null if D1 does not have the lead. */
  lead: KnownLead | null;
  /** Every purchase of the lead, removed or not. */
  purchases: readonly KnownPurchase[];
  /** Every payment for the lead in the ledger, with its ID at Stripe. */
  payments: readonly { id: string | null; state: LedgerRow["state"] }[];
  /** Whether D1 has the buyer of the record's sale. */
  hasBuyer: boolean;
  /** The alert that no run can store this sale. Once an admin has resolved it, the two sides differ permanently. */
  lossAlert: "open" | "resolved" | null;
};

/** Returns D1's status and listing state of a lead with this record. D1 does not follow holds. */
export function expectedState(record: ListingRecord): Pick<KnownLead, "status" | "listingState"> {
  if (!isOpen(record.state)) return { status: record.state, listingState: "closed" };
  return { status: "available", listingState: openOffer(record) ? "pending" : "listed" };
}

/** A record as a phrase, such as "sold to user_1 for $50.00". */
function describeRecord({ state, sale }: ListingRecord): string {
  return sale ? `sold to ${sale.businessId} for ${formatCents(sale.amountCents)}` : state;
}

const describeLead = ({ status, listingState, erasedAt }: KnownLead) =>
  `${erasedAt === null ? "" : "erased, "}${status}, ${listingState}`;

type Pair = readonly [field: string, d1: unknown, exchange: unknown];

const namesOf = (pairs: readonly Pair[]) =>
  pairs.flatMap(([field, d1, exchange]) => (d1 === exchange ? [] : [field]));

/** Returns the names of the fields in which D1's lead and purchase differ from the exchange's record. */
function differingFields(region: Region, record: ListingRecord, lead: KnownLead, facts: D1Facts): string[] {
  const { status, listingState } = expectedState(record);
  // The sweep lists pending leads, and writes their state.
  const isAwaited = isOpen(record.state) && lead.listingState === "pending";
  const fields = namesOf([
    ["region", lead.region, region],
    ["generation", lead.generation, record.generation],
    ["status", lead.status, status],
    ["listing", isAwaited ? listingState : lead.listingState, listingState],
    ["price", lead.priceCents, record.priceCents],
    ["expiry", lead.expiresAt, record.expiresAt],
  ]);
  const { sale } = record;
  if (!sale) return fields;
  const purchase = facts.purchases.find(({ id }) => id === sale.purchaseId);
  if (!purchase) return [...fields, "purchase"];
  return [
    ...fields,
    ...namesOf([
      ["buyer", purchase.buyerId, sale.businessId],
      ["bought by", purchase.boughtByUserId, sale.userId],
      ["mode", purchase.mode, sale.mode],
      ["amount", purchase.amountPaidCents, sale.amountCents],
      ["purchase time", purchase.purchasedAt, sale.soldAt],
      ["payment", purchase.paymentIntentId, sale.paymentIntentId ?? null],
      ["ledger", !sale.paymentIntentId || facts.payments.some(({ id }) => id === sale.paymentIntentId), true],
    ]),
  ];
}

/** Returns why a person must look at the record's sale; null if D1 can store it. */
function lossOf(record: ListingRecord, { lead, purchases, hasBuyer }: D1Facts): Difference | null {
  const { leadId: subjectId, sale } = record;
  if (!sale) return null;
  const { purchaseId, paymentIntentId, businessId, amountCents } = sale;
  const ids = [purchaseId, ...(paymentIntentId ? [paymentIntentId] : [])].join(", ");
  const what = `The exchange sold it to ${businessId} for ${formatCents(amountCents)} (${ids})`;
  const loss = (kind: Difference["kind"], why: string): Difference => ({
    kind,
    subjectId,
    what: `${what}, but ${why}.`,
    repair: null,
    advice: `Refund the sale that cannot be kept${paymentIntentId ? " in the Stripe dashboard" : ""}, and contact its buyer.`,
  });
  if (!lead) return loss("sale_without_lead", "D1 has lost the lead");
  if (!hasBuyer) return loss("sale_without_buyer", "D1 has lost the buyer");
  const isKnown = purchases.some(({ id }) => id === purchaseId);
  const other = purchases.find(({ removedAt }) => removedAt === null);
  return !isKnown && other ? loss("sale_conflict", `D1 has it for ${other.buyerId} (${other.id})`) : null;
}

/** Returns whether the exchange is about to write its decision to D1 by itself. @param now epoch ms */
export function isBeingWritten({ queuedAt }: Pick<ListingRecord, "queuedAt">, now: number): boolean {
  return queuedAt !== null && now - queuedAt < OUTBOX_MS;
}

/**
 * Returns the difference between an exchange's record and D1, and its repair. The exchange wins, except that:
 *
 * - a lead that D1 lacks is withdrawn, and its sale goes to a person;
 * - an erasure on either side wins;
 * - a lead that D1 knows as bought is never offered again;
 * - the later listing of a moved lead wins, except over a sale;
 * - a sale without its buyer, or with two, goes to a person.
 *
 * @param region the region of the exchange
 * @param now epoch ms
 * @returns null if both agree, or if the exchange is still writing its decision to D1
 */
export function compareRecord(
  region: Region,
  record: ListingRecord,
  facts: D1Facts,
  now: number,
): Difference | null {
  const { lead, purchases, lossAlert } = facts;
  const { leadId: subjectId, state, sale, isErased } = record;
  if (isBeingWritten(record, now)) return null;
  if (sale && lossAlert === "resolved") return null;
  const loss = lossOf(record, facts);
  if (loss) return loss;
  if (!lead) {
    if (!isOpen(state)) return null;
    const what = `The exchange of ${region} offers this lead, but D1 does not have it.`;
    return { kind: "market_differs", subjectId, what, repair: "withdraw" };
  }
  if (lead.erasedAt !== null && !isErased)
    return {
      kind: "erasure_differs",
      subjectId,
      what: `D1 has erased the customer, but the exchange of ${region} has not.`,
      repair: "erase_at_exchange",
    };
  if (isErased && lead.erasedAt === null)
    return {
      kind: "erasure_differs",
      subjectId,
      what: `The exchange of ${region} has erased the customer, but D1 has not.`,
      repair: "erase_in_d1",
    };
  const isBought = purchases.length > 0;
  if (lead.generation > record.generation && !sale) return compareOutdated(region, record, lead, isBought);
  if (isOpen(state) && isBought)
    return {
      kind: "market_differs",
      subjectId,
      what: `The exchange of ${region} offers this lead, but D1 says that ${purchases[0]!.buyerId} bought it.`,
      repair: "withdraw",
    };
  // A bought lead stays sold, whatever an exchange that lost the sale says.
  if (!sale && isBought)
    return lead.status === "sold" ? null : { ...boughtNotSold(lead), repair: "mark_sold" };
  const fields = differingFields(region, record, lead, facts);
  if (fields.length === 0) return null;
  const what = `The exchange of ${region} says ${describeRecord(record)}, D1 says ${describeLead(lead)}. They differ in: ${fields.join(", ")}.`;
  return { kind: "sale_differs", subjectId, what, repair: "write" };
}

/** Compares a record that is older than D1's listing of the lead, which an admin has moved since. */
function compareOutdated(
  region: Region,
  { leadId: subjectId, state }: ListingRecord,
  lead: KnownLead,
  isBought: boolean,
): Difference | null {
  if (isOpen(state)) {
    const what = `The exchange of ${region} still offers this lead, but D1 has a later listing in ${lead.region}.`;
    return { kind: "market_differs", subjectId, what, repair: "withdraw" };
  }
  if (lead.region !== region || lead.listingState !== "listed" || isBought) return null;
  const what = `D1 offers this lead in ${region}, but the exchange only has an earlier listing.`;
  return { kind: "offer_differs", subjectId, what, repair: "list" };
}

/** Describes a lead that D1 knows as bought, but not as sold. */
export function boughtNotSold({ id, status }: Pick<KnownLead, "id" | "status">): Omit<Difference, "repair"> {
  const what = `A provider bought this lead, but D1 says ${status}.`;
  return { kind: "bought_not_sold", subjectId: id, what };
}

/**
 * Returns what to do about a lead that D1 offers and its exchange does not know. It is listed again, unless D1 knows
 * that it was bought or paid for.
 */
export function compareUnknown({ id, region, status }: KnownLead, facts: D1Facts): Difference {
  if (facts.purchases.length > 0) return { ...boughtNotSold({ id, status }), repair: "mark_sold" };
  const what = `D1 offers this lead, but the exchange of ${region} does not know it.`;
  const isPaid = facts.payments.some(({ state }) => state === "succeeded" || state === "disputed");
  if (!isPaid) return { kind: "offer_differs", subjectId: id, what, repair: "list" };
  return {
    kind: "offer_differs",
    subjectId: id,
    what: `${what} D1 has a successful payment for it.`,
    repair: "close",
    advice: "Check its payment in the Stripe dashboard. If no provider has the lead, refund it.",
  };
}

/**
 * Returns whether D1 has lost a decision that it had confirmed to the exchange. Only a restore of D1 to an earlier time
 * does that.
 */
export function hasLostDecision(record: ListingRecord, { lead, purchases, lossAlert }: D1Facts): boolean {
  // A loss that an earlier run has found stays.
  if (isOpen(record.state) || record.queuedAt !== null || lossAlert !== null) return false;
  if (!lead) return true;
  const isSame = lead.generation === record.generation && (record.sale !== null || purchases.length === 0);
  return isSame && lead.exchangeVersion < record.version;
}
