import { describe as group, expect, test } from "vitest";

import { LEAD_PRICE_CENTS } from "../../../contract/money.ts";
import type { ListingRecord } from "../../exchange/listing.ts";
import {
  compareRecord,
  compareUnknown,
  type D1Facts,
  hasLostDecision,
  isBeingWritten,
  type KnownLead,
  type KnownPurchase,
} from "./market-rules.ts";
import { describe } from "./rules.ts";

const NOW = 1_000_000_000;
const REGION = "inner-west";

const SALE = {
  purchaseId: "pur_1",
  businessId: "user_1",
  userId: "user_1",
  mode: "stripe",
  amountCents: LEAD_PRICE_CENTS,
  soldAt: 5,
  holdId: "hold_1",
  paymentIntentId: "pi_1",
} as const;

const recordOf = (changed: Partial<ListingRecord> = {}): ListingRecord => ({
  leadId: "lead_1",
  generation: 1,
  version: 2,
  state: "available",
  priceCents: LEAD_PRICE_CENTS,
  expiresAt: NOW + 1,
  sale: null,
  departure: null,
  rescue: null,
  isErased: false,
  queuedAt: null,
  ...changed,
});
const SOLD = recordOf({ state: "sold", sale: SALE });

const leadOf = (changed: Partial<KnownLead> = {}): KnownLead => ({
  id: "lead_1",
  region: REGION,
  generation: 1,
  status: "available",
  listingState: "listed",
  exchangeVersion: 2,
  priceCents: LEAD_PRICE_CENTS,
  expiresAt: NOW + 1,
  erasedAt: null,
  ...changed,
});
const SOLD_LEAD = leadOf({ status: "sold", listingState: "closed" });

const PURCHASE: KnownPurchase = {
  id: "pur_1",
  leadId: "lead_1",
  buyerId: "user_1",
  boughtByUserId: "user_1",
  mode: "stripe",
  amountPaidCents: LEAD_PRICE_CENTS,
  purchasedAt: 5,
  paymentIntentId: "pi_1",
  removedAt: null,
};

const factsOf = (changed: Partial<D1Facts> = {}): D1Facts => ({
  lead: leadOf(),
  purchases: [],
  payments: [],
  hasBuyer: true,
  lossAlert: null,
  ...changed,
});
const SOLD_FACTS = factsOf({
  lead: SOLD_LEAD,
  purchases: [PURCHASE],
  payments: [{ id: "pi_1", state: "succeeded" }],
});

/** Returns the repair, with the kind of the difference. */
function repairOf(record: ListingRecord, facts: D1Facts): string | null {
  const difference = compareRecord(REGION, record, facts, NOW);
  return difference && `${difference.kind}: ${difference.repair ?? "a person"}`;
}

test("two sides that agree have no difference", () => {
  expect(repairOf(recordOf(), factsOf())).toBeNull();
  expect(repairOf(SOLD, SOLD_FACTS)).toBeNull();
  expect(repairOf(recordOf({ state: "held" }), factsOf())).toBeNull();
  expect(
    repairOf(
      recordOf({ state: "expired" }),
      factsOf({ lead: leadOf({ status: "expired", listingState: "closed" }) }),
    ),
  ).toBeNull();
});

test("a pending lead that its exchange has listed is left to the sweep", () => {
  expect(
    repairOf(recordOf(), factsOf({ lead: leadOf({ listingState: "pending", exchangeVersion: 0 }) })),
  ).toBeNull();
});

test("a lead that is offered to one business is pending in D1", () => {
  const offer = { businessId: "user_2", offeredAt: 1, endsAt: NOW + 1, outcome: null };
  const rescue = { excludedBusinessId: "user_1", queue: [], offers: [offer] };
  expect(repairOf(recordOf({ rescue }), factsOf({ lead: leadOf({ listingState: "pending" }) }))).toBeNull();
  expect(repairOf(recordOf({ rescue }), factsOf())).toBe("sale_differs: write");
});

group("the exchange's record wins", () => {
  test.for([
    ["a sale that D1 lost", SOLD, factsOf()],
    ["a purchase that D1 lost", SOLD, { ...SOLD_FACTS, purchases: [] }],
    ["a payment that D1 lost", SOLD, { ...SOLD_FACTS, payments: [] }],
    ["another buyer", SOLD, { ...SOLD_FACTS, purchases: [{ ...PURCHASE, buyerId: "user_9" }] }],
    ["another amount", SOLD, { ...SOLD_FACTS, purchases: [{ ...PURCHASE, amountPaidCents: 1 }] }],
    [
      "a lead that D1 withdrew",
      recordOf(),
      factsOf({ lead: leadOf({ status: "withdrawn", listingState: "closed" }) }),
    ],
    ["an offer that is over", recordOf({ state: "withdrawn" }), factsOf()],
    ["another price", recordOf(), factsOf({ lead: leadOf({ priceCents: 1 }) })],
    [
      "a sale without a purchase that only D1 knows",
      recordOf({ state: "expired" }),
      factsOf({ lead: SOLD_LEAD }),
    ],
    [
      "an earlier listing of D1",
      recordOf({ generation: 2 }),
      factsOf({ lead: leadOf({ region: "parramatta" }) }),
    ],
  ] as const)("%s", ([, record, facts]) => {
    expect(repairOf(record, facts)).toBe("sale_differs: write");
  });
});

group("the exceptions", () => {
  test("a lead that D1 lacks is withdrawn; its sale goes to a person", () => {
    const facts = factsOf({ lead: null });
    expect(repairOf(recordOf(), facts)).toBe("market_differs: withdraw");
    expect(repairOf(recordOf({ state: "expired" }), facts)).toBeNull();
    expect(repairOf(SOLD, facts)).toBe("sale_without_lead: a person");
  });

  test("an erasure on either side wins", () => {
    const erased = factsOf({ lead: leadOf({ status: "withdrawn", listingState: "closed", erasedAt: 1 }) });
    expect(repairOf(recordOf(), erased)).toBe("erasure_differs: erase_at_exchange");
    expect(repairOf(recordOf({ state: "withdrawn" }), erased)).toBe("erasure_differs: erase_at_exchange");
    expect(repairOf(recordOf({ state: "withdrawn", isErased: true }), factsOf())).toBe(
      "erasure_differs: erase_in_d1",
    );
    expect(repairOf(recordOf({ state: "withdrawn", isErased: true }), erased)).toBeNull();
  });

  test("a lead that D1 knows as bought is never offered again", () => {
    expect(repairOf(recordOf(), SOLD_FACTS)).toBe("market_differs: withdraw");
    const removed = { ...SOLD_FACTS, purchases: [{ ...PURCHASE, removedAt: 9 }] };
    expect(repairOf(recordOf(), removed)).toBe("market_differs: withdraw");
    expect(repairOf(recordOf({ state: "withdrawn" }), SOLD_FACTS)).toBeNull();
    expect(repairOf(recordOf({ state: "withdrawn" }), { ...SOLD_FACTS, lead: leadOf() })).toBe(
      "bought_not_sold: mark_sold",
    );
  });

  test("the later listing of a moved lead wins, except over a sale", () => {
    const moved = factsOf({ lead: leadOf({ region: "parramatta", generation: 2 }) });
    expect(repairOf(recordOf(), moved)).toBe("market_differs: withdraw");
    expect(repairOf(recordOf({ state: "withdrawn" }), moved)).toBeNull();
    expect(repairOf(SOLD, moved)).toBe("sale_differs: write");
    const back = factsOf({ lead: leadOf({ generation: 3 }) });
    expect(repairOf(recordOf({ state: "withdrawn" }), back)).toBe("offer_differs: list");
  });

  test("a sale without its buyer, or with two, goes to a person until an admin has resolved it", () => {
    expect(repairOf(SOLD, { ...SOLD_FACTS, hasBuyer: false })).toBe("sale_without_buyer: a person");
    const other = { ...PURCHASE, id: "pur_2", buyerId: "user_2", paymentIntentId: "pi_2" };
    expect(repairOf(SOLD, { ...SOLD_FACTS, purchases: [other] })).toBe("sale_conflict: a person");
    expect(repairOf(SOLD, { ...SOLD_FACTS, purchases: [other], lossAlert: "resolved" })).toBeNull();
  });
});

const queued = (queuedAt: number) => recordOf({ state: "withdrawn", queuedAt });

test("a decision that the exchange is about to write is left to it for five minutes", () => {
  expect(repairOf(queued(NOW - 60_000), factsOf())).toBeNull();
  expect(isBeingWritten(queued(NOW - 60_000), NOW)).toBe(true);
  expect(repairOf(queued(NOW - 6 * 60_000), factsOf())).toBe("sale_differs: write");
});

test("a lead that its exchange does not know is listed again, unless it was bought or paid for", () => {
  const repair = (facts: D1Facts) => compareUnknown(leadOf(), facts).repair;
  expect(repair(factsOf())).toBe("list");
  expect(repair(factsOf({ payments: [{ id: "pi_1", state: "cancelled" }] }))).toBe("list");
  expect(repair(factsOf({ purchases: [PURCHASE] }))).toBe("mark_sold");
  const paid = compareUnknown(leadOf(), factsOf({ payments: [{ id: "pi_1", state: "disputed" }] }));
  expect(paid).toMatchObject({ repair: "close", advice: expect.stringContaining("Check its payment") });
});

test("D1 has lost a decision if it had confirmed one that it no longer has", () => {
  const closed = recordOf({ state: "withdrawn", version: 3 });
  expect(hasLostDecision(closed, factsOf())).toBe(true);
  expect(hasLostDecision(SOLD, factsOf({ lead: null }))).toBe(true);
  expect(hasLostDecision(SOLD, factsOf({ lead: null, lossAlert: "open" }))).toBe(false);
  // Holds change the version, and D1 does not follow them.
  expect(hasLostDecision(recordOf({ version: 9 }), factsOf())).toBe(false);
  expect(hasLostDecision({ ...closed, queuedAt: 1 }, factsOf())).toBe(false);
  expect(hasLostDecision(closed, SOLD_FACTS)).toBe(false);
  expect(hasLostDecision(closed, factsOf({ lead: leadOf({ exchangeVersion: 3 }) }))).toBe(false);
});

test("a line says what differs, and what was or would be done", () => {
  const difference = compareRecord(REGION, recordOf({ state: "expired" }), factsOf(), NOW)!;
  const what =
    "lead_1: The exchange of inner-west says expired, D1 says available, listed. They differ in: status, listing.";
  expect(describe(difference, "planned")).toBe(`${what} --fix would write the exchange's record to D1.`);
  expect(describe(difference, "fixed")).toBe(`${what} Fixed: wrote the exchange's record to D1.`);
  const lost = compareRecord(REGION, SOLD, factsOf({ lead: null }), NOW)!;
  expect(describe(lost, "left")).toBe(
    "lead_1: The exchange sold it to user_1 for $50.00 (pur_1, pi_1), but D1 has lost the lead. For a person: Refund the sale that cannot be kept in the Stripe dashboard, and contact its buyer.",
  );
});
