/**
 * A year of the demo's past: bought leads in all stages, with calls, notes and reviews, a rescue, and two public pages.
 * Each sale is older than the nightly reconciliation looks back, because the exchanges have no record of it.
 */
import { eq } from "drizzle-orm";

import { clockEnd } from "../contract/call-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import type { LeadRequestInput } from "../contract/leads.ts";
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../contract/money.ts";
import { REVIEW_AFTER_DAYS } from "../contract/reviews.ts";
import { SALES_STAGES, type SalesStage } from "../contract/stages.ts";
import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import type { Db } from "../worker/platform/db/client.ts";
import {
  contactLog,
  leadPurchases,
  leads,
  operatorJobs,
  providerChecks,
  reviews,
  stageChanges,
} from "../worker/platform/db/schema.ts";
import { newId } from "../worker/platform/ids.ts";
import type { UserRow } from "../worker/platform/session.ts";
import { stampOf } from "../worker/selling/purchases/rules.ts";
import { insertPendingLead, insertProfile, insertReview } from "./world.ts";

/** Days since the newest and the oldest of these sales. The reconciliation looks back 45 days. */
const NEWEST_DAYS = 47;
const OLDEST_DAYS = 350;

/** Customers with a number from the range for fiction (ACMA). The last three asked twice. */
const CUSTOMERS: readonly [name: string, phone: string, address: string][] = [
  ["Hannah Doyle", "0491 572 549", "12 Banksia Street, Leichhardt NSW 2040"],
  ["Marcus Lee", "0491 572 665", "4 Wattle Avenue, Haberfield NSW 2045"],
  ["Priya Nair", "0491 572 983", "31 Boronia Road, Marrickville NSW 2204"],
  ["Tom Kavanagh", "0491 573 770", "8 Grevillea Close, Annandale NSW 2038"],
  ["Sofia Rossi", "0491 573 087", "77 Acacia Street, Balmain NSW 2041"],
  ["Daniel Osei", "0491 574 118", "15 Jacaranda Lane, Ashfield NSW 2131"],
  ["Mia Thornton", "0491 574 632", "2 Bottlebrush Way, Dulwich Hill NSW 2203"],
  ["Yusuf Demir", "0491 575 254", "49 Kurrajong Street, Summer Hill NSW 2130"],
  ["Clare Whelan", "0491 575 789", "23 Ironbark Parade, Petersham NSW 2049"],
  ["Vikram Shah", "0491 576 398", "60 Melaleuca Drive, Stanmore NSW 2048"],
  ["Lucy Andrews", "0491 576 801", "9 Callistemon Court, Rozelle NSW 2039"],
  ["Paul Nowak", "0491 577 426", "36 Angophora Street, Enmore NSW 2042"],
  ["Ngaire Tama", "0491 577 644", "5 Lilly Pilly Lane, Newtown NSW 2042"],
  ["Beth Marlow", "0491 578 957", "18 Casuarina Road, Croydon NSW 2132"],
  ["Omar Haddad", "0491 578 148", "27 Tea Tree Street, Lewisham NSW 2049"],
];

type Sale = {
  stage: SalesStage;
  cents?: number;
  notes?: string;
  stars?: number;
  words?: string;
  reply?: string;
};

/** The sales of demo-provider, newest first. Each stage has some. */
const SALES: readonly Sale[] = [
  { stage: "accepted_lead" },
  { stage: "called", notes: "Back from holiday on the 3rd. Call then." },
  { stage: "quote_sent", cents: 12_000, notes: "Quoted $120 for the hedge, both sides." },
  { stage: "job_booked", cents: 9_500, notes: "Side gate is open. Watch the new seedlings." },
  { stage: "declined", notes: "Bought a mower." },
  { stage: "invoice_sent", cents: 16_000, stars: 5, words: "Great edges, and the beds look new." },
  { stage: "called", notes: "Wants a price for fortnightly visits." },
  { stage: "quote_sent", cents: 22_000 },
  { stage: "job_complete", cents: 7_500, stars: 5, words: "On time, quick and tidy. The edges look great." },
  {
    stage: "invoice_paid",
    cents: 8_000,
    stars: 5,
    words: "Third time they've mowed for us. Always friendly.",
  },
  { stage: "job_booked", cents: 14_000 },
  {
    stage: "invoice_paid",
    cents: 26_000,
    stars: 4,
    words: "Good job on a big hedge. Came a day later than planned.",
    reply: "Thanks. The rain got in the way, sorry again.",
  },
  { stage: "declined" },
  { stage: "invoice_paid", cents: 6_500, stars: 5, words: "Called within the hour and mowed the next day." },
  { stage: "invoice_sent", cents: 19_000, stars: 4, words: "Solid job. A bit pricey, but worth it." },
  { stage: "invoice_paid", cents: 9_000, stars: 5, words: "Left the yard spotless." },
  {
    stage: "invoice_paid",
    cents: 11_000,
    stars: 2,
    words: "Missed the strip behind the shed, twice.",
    reply: "You're right, we missed it. We came back on the Monday at no charge.",
  },
  { stage: "called" },
  {
    stage: "invoice_paid",
    cents: 30_000,
    stars: 5,
    words: "Turned a jungle into a garden. Worth every cent.",
  },
  { stage: "job_complete", cents: 7_000, stars: 4, words: "Neat work, fair price." },
  { stage: "declined", notes: "Too far out for a weekly visit." },
  { stage: "invoice_paid", cents: 8_500, stars: 5, words: "Lovely people. The dog liked them too." },
  { stage: "invoice_paid", cents: 12_500, stars: 5, words: "Quoted on the phone and stuck to it." },
  { stage: "quote_sent", cents: 15_000 },
  {
    stage: "invoice_paid",
    cents: 6_000,
    stars: 3,
    words: "Fine, but I had to ask twice for the clippings to go.",
  },
  { stage: "invoice_paid", cents: 9_500, stars: 5, words: "We'll call them again in spring." },
  { stage: "invoice_paid", cents: 7_200, stars: 4, words: "Did what we asked, and locked the gate." },
];

/** The sales of demo-rival. */
const RIVAL_SALES: readonly Sale[] = [
  { stage: "called" },
  { stage: "invoice_paid", cents: 18_000, stars: 5, words: "Hedges straight as a ruler." },
  {
    stage: "invoice_paid",
    cents: 7_000,
    stars: 4,
    words: "Good mow, a bit loud for a Saturday morning.",
    reply: "Noted, we start after nine on weekends now.",
  },
  { stage: "job_complete", cents: 24_000, stars: 5, words: "Cleared the whole back yard in a day." },
  { stage: "declined" },
  { stage: "invoice_paid", cents: 6_500, stars: 5, words: "Rang when they said they would." },
  { stage: "invoice_paid", cents: 8_400, stars: 5, words: "Sent a photo when it was done. Nice touch." },
];

const SERVICES = [["lawn_mowing"], ["hedge_trimming"], ["lawn_mowing"], ["garden_cleanup"]] as const;

/** Stores a request and its sale. Each stage is about a day after the one before it. */
async function insertSale(
  db: Db,
  buyer: UserRow,
  { stage, cents, notes }: Sale,
  i: number,
  purchasedAt: number,
  change: {
    sale?: Partial<typeof leadPurchases.$inferInsert>;
    lead?: Partial<typeof leads.$inferInsert>;
  } = {},
): Promise<{ purchaseId: string; leadId: string }> {
  const [customerName, customerPhone, customerAddress] = CUSTOMERS[i % CUSTOMERS.length]!;
  const request: Partial<LeadRequestInput> = {
    customerName,
    customerPhone,
    customerAddress,
    customerEmail: null,
    specificRequests: null,
    serviceType: [...SERVICES[i % SERVICES.length]!],
  };
  const { id: leadId, urgency } = await insertPendingLead(
    db,
    request,
    purchasedAt - (20 + 7 * i) * MINUTE_MS,
  );
  const purchaseId = newId("pur");
  const path =
    stage === "declined"
      ? (["accepted_lead", "called", "declined"] as const)
      : SALES_STAGES.slice(0, SALES_STAGES.indexOf(stage) + 1);
  // Called within an hour or two of the sale, and a stage a day from then on.
  const times = path.map(
    (_, step) => purchasedAt + (step === 0 ? 0 : (step - 1) * DAY_MS + (1 + (i % 2)) * HOUR_MS),
  );
  const reached = Object.fromEntries(
    path.flatMap((name, step) => (stampOf(name) ? [[stampOf(name)!, times[step]!]] : [])),
  );
  const isCalled = path.length > 1;
  const answered = { answer: "called", answeredAt: purchasedAt + 5 * HOUR_MS } as const;
  await db.batch([
    db
      .update(leads)
      .set({
        status: "sold",
        listingState: "closed",
        exchangeVersion: 2,
        quarantineReasons: [],
        ...change.lead,
      })
      .where(eq(leads.id, leadId)),
    db.insert(leadPurchases).values({
      id: purchaseId,
      leadId,
      buyerId: buyer.id,
      boughtByUserId: buyer.id,
      buyerName: `${buyer.firstName} ${buyer.lastName}`,
      buyerEmail: buyer.email,
      buyerPhone: buyer.phone,
      buyerCompany: buyer.companyName,
      mode: "direct",
      amountPaidCents: LEAD_PRICE_CENTS,
      paymentStatus: "completed",
      purchasedAt,
      salesStage: stage,
      salesNotes: notes ?? null,
      customerPaymentAmountCents: cents ?? null,
      clockEndsAt: clockEnd(purchasedAt, urgency),
      // Every third customer said that the provider called.
      callClock: { state: "over", ...(isCalled && i % 3 === 0 && answered) },
      lastContactAt: isCalled ? times[1]! : null,
      ...reached,
      updatedAt: times.at(-1)!,
      ...change.sale,
    }),
    ...path.map((name, step) =>
      db.insert(stageChanges).values({
        purchaseId,
        fromStage: path[step - 1] ?? null,
        toStage: name,
        changedByUserId: buyer.id,
        changedAt: times[step]!,
      }),
    ),
    ...(isCalled
      ? [
          db.insert(contactLog).values({
            id: newId("con"),
            purchaseId,
            outcome: "called",
            byUserId: buyer.id,
            at: times[1]!,
            entryKey: purchaseId,
          }),
        ]
      : []),
  ]);
  return { purchaseId, leadId };
}

async function insertSales(db: Db, buyer: UserRow, sales: readonly Sale[], now: number): Promise<void> {
  const step = (OLDEST_DAYS - NEWEST_DAYS) / (sales.length - 1);
  for (const [i, sale] of sales.entries()) {
    const purchasedAt = Math.round(now - (NEWEST_DAYS + i * step) * DAY_MS);
    const { purchaseId } = await insertSale(db, buyer, sale, i, purchasedAt);
    const { stars, words, reply } = sale;
    if (stars === undefined) continue;
    const writtenAt = purchasedAt + REVIEW_AFTER_DAYS * DAY_MS;
    const [firstName] = CUSTOMERS[i % CUSTOMERS.length]![0].split(" ");
    await insertReview(db, purchaseId, {
      stars,
      words: words ?? null,
      customerName: firstName!,
      serviceType: SERVICES[i % SERVICES.length]![0],
      invitedAt: writtenAt - DAY_MS,
      endsAt: writtenAt + 59 * DAY_MS,
      writtenAt,
      updatedAt: writtenAt,
      ...(reply !== undefined && { reply, repliedAt: writtenAt + DAY_MS }),
    } satisfies Partial<typeof reviews.$inferInsert>);
  }
}

/** A request whose first buyer, demo-rival, did not call. demo-provider took it a day later. */
async function insertRescue(db: Db, rival: UserRow, provider: UserRow, now: number): Promise<void> {
  const soldAt = now - 60 * DAY_MS;
  const rescuedAt = soldAt + 30 * HOUR_MS;
  const i = CUSTOMERS.length - 1;
  const first = await insertSale(db, rival, { stage: "accepted_lead" }, i, soldAt);
  const second = await insertSale(
    db,
    provider,
    { stage: "invoice_paid", cents: 8_800, notes: "Was left waiting by someone else. Very happy now." },
    i,
    rescuedAt + HOUR_MS,
    {
      lead: { rescuedFromId: first.leadId, excludedBusinessId: rival.id, priceCents: RESCUE_PRICE_CENTS },
      sale: { amountPaidCents: RESCUE_PRICE_CENTS },
    },
  );
  await db
    .update(leadPurchases)
    .set({
      callClock: {
        state: "rescued",
        answer: "not_yet",
        answeredAt: rescuedAt - HOUR_MS,
        rescuedAt,
        rescueLeadId: second.leadId,
      },
    })
    .where(eq(leadPurchases.id, first.purchaseId));
}

/** Gives a business valid checks and a public page. */
async function insertPage(
  db: Db,
  business: UserRow,
  page: { slug: string; words: string; services: string[]; number: string },
  now: number,
): Promise<void> {
  const { number, ...profile } = page;
  const seenOn = sydneyDay(now - 40 * DAY_MS);
  const checks = [
    { kind: "abn" as const, number, endsOn: null },
    { kind: "insurance" as const, number: null, endsOn: addDays(seenOn, 300) },
    { kind: "police" as const, number: null, endsOn: addDays(seenOn, 365) },
  ];
  for (const check of checks)
    await db.insert(providerChecks).values({
      id: newId("chk"),
      businessId: business.id,
      state: "valid",
      seenOn,
      decidedAt: now - 40 * DAY_MS,
      createdAt: now - 41 * DAY_MS,
      ...check,
    });
  await insertProfile(db, business, profile);
}

/** Stores the past of the demo's two providers, and a job that computes the public figures. */
export async function insertDemoHistory(
  db: Db,
  provider: UserRow,
  rival: UserRow,
  now: number,
): Promise<void> {
  await insertSales(db, provider, SALES, now);
  await insertSales(db, rival, RIVAL_SALES, now);
  await insertRescue(db, rival, provider, now);
  await insertPage(
    db,
    provider,
    {
      slug: "mason-lawn-garden",
      words:
        "Dana and Tess look after lawns and gardens across the inner west. We call before we come, and we take the clippings with us.",
      services: ["lawn_mowing", "hedge_trimming", "garden_cleanup"],
      number: "51824753556",
    },
    now,
  );
  await insertPage(
    db,
    rival,
    {
      slug: "evergreen-crew",
      words:
        "Two crews with their own gear for hedges, lawns and overgrown yards. One-off or regular visits.",
      services: ["hedge_trimming", "lawn_mowing", "yard_cleanup"],
      number: "53004085616",
    },
    now,
  );
  await db
    .insert(operatorJobs)
    .values({ id: "job_demo_figures", kind: "public_figures", input: {}, createdAt: now, updatedAt: now });
}
