/**
 * A year of the demo's past: bought leads in all stages, with calls, notes, reviews and photos, a rescue, and two public
 * pages. The exchanges have no record of these sales. They need none, because D1 says that the leads are sold.
 */
import { eq } from "drizzle-orm";

import { clockEnd, reminderTime } from "../contract/call-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import type { LeadRequestInput } from "../contract/leads.ts";
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../contract/money.ts";
import { REVIEW_AFTER_DAYS } from "../contract/reviews.ts";
import { SALES_STAGES, type SalesStage } from "../contract/stages.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../contract/sydney-time.ts";
import {
  contactLog,
  leadPurchases,
  leads,
  operatorJobs,
  providerChecks,
  reviews,
  stageChanges,
} from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import type { UserRow } from "../worker/platform/caller.ts";
import { stampOf } from "../worker/selling/purchases/rules.ts";
import { addOwnPhotos, addSalePhotos, type PhotoStore, type SalePhotos } from "./demo-photos.ts";
import { insertPendingLead, insertProfile, insertReview } from "./world.ts";

/** Days since the newest and the oldest of the yearly sales. */
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

/** The world to fill, as it is now. */
export type DemoWorld = PhotoStore & { now: number };

type Sale = SalePhotos & {
  stage: SalesStage;
  cents?: number;
  notes?: string;
  stars?: number;
  words?: string;
  reply?: string;
  /** The next action: days from today, hour of the day, and what to do. */
  next?: readonly [days: number, hour: number, note: string];
  request?: Partial<LeadRequestInput>;
};

/** The latest sales of demo-provider: two still have to be called, and four next actions are due today or earlier. */
const RECENT_SALES: readonly (Sale & { hours: number })[] = [
  {
    hours: 1.5,
    stage: "accepted_lead",
    requestGarden: 2,
    request: {
      customerEmail: "hannah.doyle@example.com",
      urgency: "urgent",
      lawnCondition: "overgrown",
      specificRequests: "Open for inspection on Saturday. The hedge is over the footpath.",
    },
  },
  { hours: 5, stage: "accepted_lead", request: { frequency: "fortnightly", hasPets: true } },
  {
    hours: 22,
    stage: "called",
    notes: "Wants the hedge at fence height. Two cuts a year.",
    next: [0, 16, "Send the quote"],
  },
  {
    hours: 70,
    stage: "quote_sent",
    cents: 18_500,
    notes: "Quoted $185 for hedge and edges.",
    next: [-1, 17, "Ask about the quote"],
  },
  {
    hours: 150,
    stage: "job_booked",
    cents: 9_500,
    notes: "Side gate is open. Dog is inside in the mornings.",
    next: [1, 8, "Mow, front and back"],
  },
  {
    hours: 260,
    stage: "job_complete",
    cents: 24_000,
    next: [0, 18, "Send the invoice"],
    requestGarden: 5,
    workGarden: 5,
    isOffered: true,
  },
  { hours: 470, stage: "invoice_sent", cents: 16_000, next: [0, 12, "Check that the invoice is paid"] },
  { hours: 700, stage: "invoice_paid", cents: 8_000, next: [5, 9, "Offer a spring clean-up"] },
];

/** The sales of demo-provider before those, newest first. Each stage has some. */
const SALES: readonly Sale[] = [
  { stage: "accepted_lead" },
  { stage: "called", notes: "Back from holiday on the 3rd. Call then." },
  { stage: "quote_sent", cents: 12_000, notes: "Quoted $120 for the hedge, both sides." },
  { stage: "job_booked", cents: 9_500, notes: "Side gate is open. Watch the new seedlings." },
  { stage: "declined", notes: "Bought a mower." },
  {
    stage: "invoice_sent",
    cents: 16_000,
    stars: 5,
    words: "Great edges, and the beds look new.",
    workGarden: 0,
    isOffered: true,
    isAgreed: true,
  },
  { stage: "called", notes: "Wants a price for fortnightly visits." },
  { stage: "quote_sent", cents: 22_000 },
  {
    stage: "job_complete",
    cents: 7_500,
    stars: 5,
    words: "On time, quick and tidy. The edges look great.",
    workGarden: 3,
    isOffered: true,
    isAgreed: true,
  },
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
  {
    stage: "job_complete",
    cents: 24_000,
    stars: 5,
    words: "Cleared the whole back yard in a day.",
    workGarden: 4,
    isOffered: true,
    isAgreed: true,
  },
  { stage: "declined" },
  { stage: "invoice_paid", cents: 6_500, stars: 5, words: "Rang when they said they would." },
  { stage: "invoice_paid", cents: 8_400, stars: 5, words: "Sent a photo when it was done. Nice touch." },
];

const SERVICES = [["lawn_mowing"], ["hedge_trimming"], ["lawn_mowing"], ["garden_cleanup"]] as const;

/** Stores a request and its sale. Each stage is about a day after the one before it, or less if the sale is recent. */
async function insertSale(
  world: DemoWorld,
  buyer: UserRow,
  sale: Sale,
  i: number,
  purchasedAt: number,
  change: {
    sale?: Partial<typeof leadPurchases.$inferInsert>;
    lead?: Partial<typeof leads.$inferInsert>;
  } = {},
): Promise<{ purchaseId: string; leadId: string }> {
  const { db, now } = world;
  const { stage, cents, notes, next } = sale;
  const [customerName, customerPhone, customerAddress] = CUSTOMERS[i % CUSTOMERS.length]!;
  const request: Partial<LeadRequestInput> = {
    customerName,
    customerPhone,
    customerAddress,
    customerEmail: null,
    specificRequests: null,
    serviceType: [...SERVICES[i % SERVICES.length]!],
    ...sale.request,
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
  const pace = Math.min(DAY_MS, (now - purchasedAt) / path.length);
  const times = path.map((_, step) =>
    Math.round(purchasedAt + (step === 0 ? 0 : (step - 1) * pace + Math.min(pace, (1 + (i % 2)) * HOUR_MS))),
  );
  const clockEndsAt = clockEnd(purchasedAt, urgency);
  const isOver = clockEndsAt < now;
  const reached = Object.fromEntries(
    path.flatMap((name, step) => (stampOf(name) ? [[stampOf(name)!, times[step]!]] : [])),
  );
  const isCalled = path.length > 1;
  const answered = { answer: "called", answeredAt: Math.min(now, purchasedAt + 5 * HOUR_MS) } as const;
  await db.batch([
    db
      .update(leads)
      .set({
        status: "sold",
        listingState: "closed",
        exchangeVersion: 2,
        quarantineReasons: [],
        confirmedBy: "sms",
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
      clockEndsAt,
      // Every third customer said that the provider called.
      callClock: {
        state: isOver ? "over" : "running",
        ...(isCalled && i % 3 === 0 && answered),
      },
      clockDueAt: isOver ? null : reminderTime(purchasedAt, clockEndsAt),
      ...(next && {
        nextActionAt: startOfSydneyDay(addDays(sydneyDay(now), next[0]))! + next[1] * HOUR_MS,
        nextActionNote: next[2],
      }),
      lastContactAt: isCalled ? times[1]! : null,
      reachedAt: isCalled ? times[1]! : null,
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
            purchaseId,
            outcome: "called",
            byUserId: buyer.id,
            at: times[1]!,
            loggedAt: times[1]!,
            entryKey: purchaseId,
          }),
        ]
      : []),
  ]);
  await addSalePhotos(world, { leadId, purchaseId, businessId: buyer.id }, sale, {
    requestedAt: purchasedAt - HOUR_MS,
    doneAt: times.at(-1)!,
  });
  return { purchaseId, leadId };
}

async function insertSales(world: DemoWorld, buyer: UserRow, sales: readonly Sale[]): Promise<void> {
  const { db, now } = world;
  const step = (OLDEST_DAYS - NEWEST_DAYS) / (sales.length - 1);
  for (const [i, sale] of sales.entries()) {
    const purchasedAt = Math.round(now - (NEWEST_DAYS + i * step) * DAY_MS);
    const { purchaseId } = await insertSale(world, buyer, sale, i, purchasedAt);
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
async function insertRescue(world: DemoWorld, rival: UserRow, provider: UserRow): Promise<void> {
  const { db, now } = world;
  const soldAt = now - 60 * DAY_MS;
  const rescuedAt = soldAt + 30 * HOUR_MS;
  const i = CUSTOMERS.length - 1;
  const first = await insertSale(world, rival, { stage: "accepted_lead" }, i, soldAt);
  const second = await insertSale(
    world,
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

type DemoPage = {
  slug: string;
  words: string;
  suburbId?: string;
  logo: readonly [ground: string, leaf: string];
  gardens: readonly number[];
};

/** Gives a business valid checks and a public page. */
async function insertPage(world: DemoWorld, business: UserRow, page: DemoPage): Promise<void> {
  const { db, now } = world;
  const { logo, gardens, ...profile } = page;
  const seenOn = sydneyDay(now - 40 * DAY_MS);
  const checks = [
    { kind: "abn" as const, number: business.abn!.replaceAll(" ", ""), endsOn: null },
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
  await addOwnPhotos(world, business.id, { logo, gardens }, now - 39 * DAY_MS);
}

/** Stores the past of the demo's two providers, and a job that computes the public figures. */
export async function insertDemoHistory(world: DemoWorld, provider: UserRow, rival: UserRow): Promise<void> {
  const { db, now } = world;
  for (const [i, { hours, ...sale }] of RECENT_SALES.entries())
    await insertSale(world, provider, sale, i, now - hours * HOUR_MS);
  await insertSales(world, provider, SALES);
  await insertSales(world, rival, RIVAL_SALES);
  await insertRescue(world, rival, provider);
  await insertPage(world, provider, {
    slug: "mason-lawn-garden",
    words:
      "Dana and Tess look after lawns and gardens across the inner west. We call before we come, and we take the clippings with us.",
    logo: ["#23512c", "#d8efb4"],
    gardens: [6, 9],
  });
  await insertPage(world, rival, {
    slug: "evergreen-crew",
    words: "Two crews with their own gear for hedges, lawns and overgrown yards. One-off or regular visits.",
    suburbId: "sub_marrickville",
    logo: ["#e9f2d8", "#2f6b3a"],
    gardens: [8, 7],
  });
  await db
    .insert(operatorJobs)
    .values({ id: "job_demo_figures", kind: "public_figures", input: {}, createdAt: now, updatedAt: now });
}
