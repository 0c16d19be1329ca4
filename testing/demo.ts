/** The demo data of a local start: four accounts, leads in several regions, a pipeline, and a year of history. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import { sql } from "drizzle-orm";

import type { LeadRequestInput } from "../contract/leads.ts";
import type { SalesStage } from "../contract/stages.ts";
import type { Db } from "../worker/platform/db/client.ts";
import { messageChannels, users } from "../worker/tables.ts";
import { type DemoWorld, insertDemoHistory } from "./demo-history.ts";
import { addRequestPhotos } from "./demo-photos.ts";
import { insertManualPurchase, insertPendingLead, insertTeamMember, insertUser } from "./world.ts";

/** Phone numbers below are from the ranges reserved for fiction (ACMA). Addresses are invented. */
const LEADS: { ageMs: number; request: Partial<LeadRequestInput>; garden?: number }[] = [
  {
    ageMs: 6 * MINUTE_MS,
    request: {
      customerName: "Grace Okafor",
      customerPhone: "0491 570 006",
      customerEmail: "grace.okafor@example.com",
      customerAddress: "41 Wattlebird Lane, Annandale NSW 2038",
      serviceType: ["lawn_mowing", "hedge_trimming"],
      additionalServices: ["edging", "blowing"],
      urgency: "urgent",
      specificRequests: "Inspection on Friday, the front needs to look cared for.",
    },
  },
  {
    ageMs: 38 * MINUTE_MS,
    garden: 1,
    request: {
      customerName: "Liam Petrov",
      customerPhone: "0491 570 156",
      customerAddress: "7 Angophora Street, Summer Hill NSW 2130",
      serviceType: ["garden_maintenance"],
      frequency: "monthly",
      hasPets: true,
      specificRequests: "Friendly kelpie in the back yard, please close the gate.",
    },
  },
  {
    ageMs: 3 * HOUR_MS,
    garden: 4,
    request: {
      customerName: "Mei Tan",
      customerPhone: "0491 570 157",
      customerEmail: "mei.tan@example.com",
      customerAddress: "19 Jacaranda Avenue, Parramatta NSW 2150",
      propertySize: "large",
      lawnCondition: "overgrown",
      hasSlopes: true,
      frequency: "one_off",
    },
  },
  {
    ageMs: 9 * HOUR_MS,
    request: {
      customerName: "Noah Williams",
      customerPhone: "0491 570 158",
      customerAddress: "3 Boronia Place, Manly NSW 2095",
      propertyType: "strata",
      serviceType: ["hedge_trimming"],
      urgency: "within_month",
    },
  },
  {
    ageMs: 2 * DAY_MS,
    request: {
      customerName: "Olivia Haddad",
      customerPhone: "0491 570 159",
      customerEmail: "olivia.haddad@example.com",
      customerAddress: "88 Bottlebrush Road, Blacktown NSW 2148",
      serviceType: ["landscaping"],
      urgency: "flexible",
      budgetConcern: "somewhat_important",
      specificRequests: "Level a corner for a small trampoline.",
    },
  },
  {
    ageMs: 5 * DAY_MS,
    request: {
      customerName: "Jack Murray",
      customerPhone: "0491 570 110",
      customerAddress: "250 Ironbark Drive, Newcastle NSW 2300",
      propertyType: "commercial",
      propertySize: "extra_large",
      frequency: "weekly",
    },
  },
];

/** Leads that the demo accounts buy through the exchange once the server is running; see scripts/demo.ts. */
const LEADS_TO_TRADE: typeof LEADS = [
  ["Isla Nguyen", "0491 570 313", "5 Grevillea Street, Dulwich Hill NSW 2203"],
  ["Thomas Reid", "0491 570 737", "61 Lilly Pilly Crescent, Leichhardt NSW 2040"],
  ["Amira Saleh", "0491 571 266", "14 Bluegum Way, Ashfield NSW 2131"],
  ["Ben Costa", "0491 571 491", "9 Kurrajong Street, Balmain NSW 2041"],
].map(([customerName, customerPhone, customerAddress], i) => ({
  ageMs: (6 + i) * DAY_MS,
  request: { customerName, customerPhone, customerAddress, customerEmail: null, specificRequests: null },
}));

const PIPELINE: { stage: SalesStage; ageDays: number; name: string; notes?: string; paidCents?: number }[] = [
  { stage: "called", ageDays: 3, name: "Ruby Chen", notes: "Rang twice. Prefers a text after 4 pm." },
  { stage: "quote_sent", ageDays: 6, name: "Oscar Lindt", notes: "Quoted $95 a visit, fortnightly." },
  {
    stage: "job_booked",
    ageDays: 9,
    name: "Zoe Martin",
    notes: "Booked for Tuesday, 8 am. Key is with the neighbour.",
  },
  { stage: "job_complete", ageDays: 12, name: "Henry Abbott" },
  { stage: "invoice_sent", ageDays: 16, name: "Layla Farouk", paidCents: 18_000 },
  {
    stage: "invoice_paid",
    ageDays: 24,
    name: "George Papadakis",
    notes: "Wants us again in spring.",
    paidCents: 24_500,
  },
  { stage: "declined", ageDays: 11, name: "Sam Whitlock", notes: "Went with his brother-in-law." },
];

/** Number of available leads, oldest first, that the demo accounts buy once the server is running. */
export const DEMO_TRADES = LEADS_TO_TRADE.length;

export const DEMO_ACCOUNTS = [
  { username: "demo-provider", what: "a provider with a pipeline" },
  { username: "demo-rival", what: "a second provider, to race against" },
  { username: "demo-team", what: "a team member of demo-provider" },
  { username: "demo-admin", what: "a provider and super admin" },
] as const;

async function insertAccounts(db: Db, now: number) {
  const createdAt = now - 365 * DAY_MS;
  const watchedRegions = ["inner-west", "parramatta", "northern-beaches"];
  const provider = await insertUser(db, {
    username: "demo-provider",
    email: "demo-provider@example.com",
    firstName: "Dana",
    lastName: "Mason",
    companyName: "Mason Lawn & Garden",
    abn: "51 824 753 556",
    phone: "0491 570 801",
    isVerified: true,
    watchedRegions,
    createdAt,
  });
  const rival = await insertUser(db, {
    username: "demo-rival",
    email: "demo-rival@example.com",
    firstName: "Ravi",
    lastName: "Iyer",
    companyName: "Evergreen Crew",
    abn: "53 004 085 616",
    phone: "0491 570 802",
    isVerified: true,
    watchedRegions,
    createdAt,
  });
  await insertTeamMember(db, provider, {
    username: "demo-team",
    email: "demo-team@example.com",
    firstName: "Tess",
    lastName: "Kelly",
    phone: "0491 570 803",
    watchedRegions,
    createdAt,
  });
  await insertUser(db, {
    username: "demo-admin",
    email: "demo-admin@example.com",
    firstName: "Alex",
    lastName: "Ng",
    companyName: "Ng Gardens",
    phone: "0491 570 804",
    isVerified: true,
    isSuperAdmin: true,
    watchedRegions,
    createdAt,
  });
  return { provider, rival };
}

/** Fills an empty local database, and no other. Leads stay `pending` until the sweep lists them. */
export async function fillDemoWorld(world: DemoWorld): Promise<void> {
  const { db, now } = world;
  const existing = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.username} = 'demo-provider'`);
  if (existing.length > 0) return;
  const { provider, rival } = await insertAccounts(db, now);
  await insertDemoHistory(world, provider, rival);
  for (const { ageMs, request, garden } of [...LEADS, ...LEADS_TO_TRADE]) {
    const { id } = await insertPendingLead(db, { specificRequests: null, ...request }, now - ageMs);
    if (garden !== undefined) await addRequestPhotos(world, id, garden, now - ageMs);
  }
  for (const { stage, ageDays, name, notes, paidCents } of PIPELINE) {
    await insertManualPurchase(db, provider, {
      stage,
      startedAt: now - ageDays * DAY_MS,
      request: {
        customerName: name,
        customerPhone: "0491 571 804",
        customerEmail: null,
        customerAddress: "20 Waratah Road, Leichhardt NSW 2040",
        specificRequests: null,
      },
      ...(notes && { notes }),
      ...(paidCents && { customerPaidCents: paidCents }),
    });
  }
  // Text messages are off by default, because each costs money. In the demo they are free.
  await db
    .insert(messageChannels)
    .values({ channel: "sms", isOn: true, mostADay: 200 })
    .onConflictDoNothing();
}
