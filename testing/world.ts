/**
 * The one data set for tests, benchmarks and the local demo: builders with overrides. They write what the
 * product itself would write. Product code imports nothing from here.
 */
import { DAY_MS } from "../contract/durations.ts";
import { and, eq } from "drizzle-orm";

import type { QuarantineReason } from "../contract/quarantine.ts";
import type { BookingRequestInput } from "../contract/bookings.ts";
import type { LeadRequestInput } from "../contract/leads.ts";
import { leadRequestSchema, QUOTE_DEFAULTS } from "../contract/leads.ts";
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { phoneKey } from "../contract/phone.ts";
import { REVIEW_OPEN_DAYS } from "../contract/reviews.ts";
import { SALES_STAGES, type SalesStage } from "../contract/stages.ts";
import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import { startSession } from "../worker/identity/auth/commands.ts";
import { hashPassword } from "../worker/identity/auth/passwords.ts";
import type { UserRow } from "../worker/platform/caller.ts";
import type { Db } from "../worker/platform/db/client.ts";
import {
  bookings,
  freeClaims,
  badLeadReports,
  leadPurchases,
  leads,
  payments,
  profileCouncils,
  providerChecks,
  providerProfiles,
  reviews,
  stageChanges,
  users,
} from "../worker/tables.ts";
import { newId, newLeadId } from "../worker/platform/ids.ts";
import { storeRequest } from "../worker/leads/commands.ts";
import type { LeadRow } from "../worker/leads/rules.ts";
import { contactKeys, requestKeys } from "../worker/leads/quarantine/contact-keys.ts";
import { stampOf } from "../worker/selling/purchases/rules.ts";
import { readPlace } from "../worker/leads/suburbs/queries.ts";

/** New IDs, as the product creates them. */
export { newId, newLeadId };

/** Password of every account created here. */
export const PASSWORD = "naturestrip-demo";

const LIFETIME_MS = 14 * DAY_MS;

let passwordHash: Promise<string> | null = null;
let counter = 0;

/**
 * Makes hashing cheap. Hashing and signing in take 140 ms each on purpose, so test accounts use the lowest
 * allowed cost.
 */
export function useCheapHashes(): void {
  passwordHash = hashPassword(PASSWORD, { N: 2, r: 1, p: 1 });
}

/** Returns the hash that all accounts created here share. */
function hashSharedPassword(): Promise<string> {
  passwordHash ??= hashPassword(PASSWORD);
  return passwordHash;
}

/** Stores a user, by default a provider with a unique name who watches the inner west. */
export async function insertUser(
  db: Db,
  overrides: Partial<typeof users.$inferInsert> = {},
): Promise<UserRow> {
  counter += 1;
  const now = overrides.createdAt ?? Date.now();
  const { phone = `02 5550 ${1000 + counter}` } = overrides;
  const [user] = await db
    .insert(users)
    .values({
      id: newId("user"),
      username: `provider-${counter}-${newId("user").slice(-6)}`,
      email: null,
      passwordHash: await hashSharedPassword(),
      userType: "provider",
      firstName: "Pat",
      lastName: `Provider ${counter}`,
      phone,
      companyName: `Green Strip ${counter}`,
      businessAddress: "To be updated after signup",
      watchedRegions: ["inner-west"],
      createdAt: now,
      updatedAt: now,
      phoneKey: phoneKey(phone ?? ""),
      ...overrides,
    })
    .returning();
  return user!;
}

/** Stores a provider's public page, for Leichhardt and its council. Adds a valid ABN check, because a page needs one. */
export async function insertProfile(
  db: Db,
  { id: businessId }: Pick<UserRow, "id">,
  overrides: Partial<typeof providerProfiles.$inferInsert> = {},
  councils: readonly string[] = ["Inner West Council"],
) {
  counter += 1;
  const now = Date.now();
  const profile = {
    businessId,
    slug: `green-strip-${counter}`,
    isPublic: true,
    words: "We mow lawns and trim hedges in the inner west, and have done so for twelve years.",
    suburbId: "sub_leichhardt",
    createdAt: now,
    updatedAt: now,
    ...overrides,
  };
  await db.batch([
    db.insert(providerProfiles).values(profile),
    db.insert(profileCouncils).values(councils.map((council) => ({ businessId, council }))),
  ]);
  const isChecked = and(eq(providerChecks.businessId, businessId), eq(providerChecks.kind, "abn"));
  if ((await db.$count(providerChecks, isChecked)) === 0) await insertAbnCheck(db, businessId);
  return profile;
}

/** Stores that an admin has checked a business's ABN. */
export async function insertAbnCheck(db: Db, businessId: string, number?: string): Promise<void> {
  const now = Date.now();
  await db.insert(providerChecks).values({
    id: newId("chk"),
    businessId,
    kind: "abn",
    state: "valid",
    number,
    seenOn: sydneyDay(now),
    createdAt: now,
  });
}

/** Stores a team member of a provider. */
export function insertTeamMember(db: Db, owner: UserRow, overrides: Partial<typeof users.$inferInsert> = {}) {
  return insertUser(db, {
    userType: "team_member",
    teamOwnerId: owner.id,
    firstName: "Terry",
    companyName: null,
    ...overrides,
  });
}

/** Signs a user in without the login form. Returns the value of the `Cookie` header for http. */
export async function sessionCookie(db: Db, userId: string, now = Date.now()): Promise<string> {
  return `session=${await startSession(db, { userId, userAgent: "test", method: "password", now })}`;
}

/** Returns a typical quote request from a visitor in Leichhardt. */
export function quoteRequest(overrides: Partial<LeadRequestInput> = {}): LeadRequestInput {
  return {
    ...QUOTE_DEFAULTS,
    serviceType: [...QUOTE_DEFAULTS.serviceType],
    additionalServices: [],
    customerName: "Anna Brown",
    customerPhone: "02 5550 0123",
    customerEmail: "anna.brown@example.com",
    customerAddress: "12 Banksia Street, Leichhardt NSW 2040",
    specificRequests: "The side gate sticks a little.",
    ...overrides,
  };
}

/** Returns a typical booking on Leichhardt's page. */
export function bookingRequest(overrides: Partial<BookingRequestInput> = {}): BookingRequestInput {
  return {
    name: "Anna Brown",
    phone: "02 5550 0123",
    email: "anna.brown@example.com",
    vehicle: "",
    serviceType: "hedge_trimming",
    propertySize: "medium",
    preferredDate: addDays(sydneyDay(Date.now()), 14),
    message: "The side gate sticks a little.",
    suburbId: "sub_leichhardt",
    ...overrides,
  };
}

/**
 * Stores a visitor's request that is not listed yet, as after a crash.
 *
 * @param reasons the reasons for quarantine, if any
 */
export async function insertPendingLead(
  db: Db,
  overrides: Partial<LeadRequestInput> = {},
  now = Date.now(),
  reasons: QuarantineReason[] = [],
): Promise<LeadRow> {
  const request = leadRequestSchema.parse(quoteRequest(overrides));
  const { suburbId, customerAddress } = request;
  const { place, address, note } = await readPlace(db, { suburbId, address: customerAddress });
  const { lead } = await storeRequest({ db, originHashKey: null }, request, {
    customerId: null,
    now,
    lifetimeMs: LIFETIME_MS,
    screened: {
      keys: { ...requestKeys(request), originKey: null },
      place,
      address,
      note,
      reasons,
      senderBusinessId: null,
    },
  });
  return lead;
}

/** Stores a provider's own lead, with a history of stages about a day apart that ends in `stage`. */
export async function insertManualPurchase(
  db: Db,
  owner: UserRow,
  input: {
    stage: SalesStage;
    startedAt: number;
    request?: Partial<LeadRequestInput>;
    notes?: string;
    customerPaidCents?: number;
  },
): Promise<string> {
  const { stage, startedAt } = input;
  const request = leadRequestSchema.parse(quoteRequest(input.request));
  const { submissionId: _, suburbId: __, consentWording: ___, ...answers } = request;
  const leadId = newLeadId("inner-west");
  const purchaseId = newId("pur");
  const path =
    stage === "declined"
      ? (["accepted_lead", "called", "declined"] as const)
      : SALES_STAGES.slice(0, SALES_STAGES.indexOf(stage) + 1);
  const times = path.map((_, i) => startedAt + i * 1.3 * DAY_MS);
  const reached = Object.fromEntries(
    path.flatMap((name, i) => (stampOf(name) ? [[stampOf(name)!, Math.round(times[i]!)]] : [])),
  );
  await db.batch([
    db.insert(leads).values({
      ...answers,
      ...contactKeys(request.customerPhone, request.customerEmail),
      id: leadId,
      source: "manual",
      region: "inner-west",
      suburbName: "Leichhardt",
      suburbPostcode: "2040",
      listingState: "private",
      status: "sold",
      priceCents: LEAD_PRICE_CENTS,
      createdAt: startedAt,
      expiresAt: startedAt + LIFETIME_MS,
    }),
    db.insert(leadPurchases).values({
      id: purchaseId,
      leadId,
      buyerId: owner.id,
      boughtByUserId: owner.id,
      buyerName: `${owner.firstName} ${owner.lastName}`,
      buyerEmail: owner.email,
      buyerPhone: owner.phone,
      buyerCompany: owner.companyName,
      mode: "manual",
      amountPaidCents: 0,
      paymentStatus: "completed",
      purchasedAt: startedAt,
      salesStage: stage,
      salesNotes: input.notes ?? null,
      customerPaymentAmountCents: input.customerPaidCents ?? null,
      ...reached,
      updatedAt: Math.round(times.at(-1)!),
    }),
    ...path.map((name, i) =>
      db.insert(stageChanges).values({
        purchaseId,
        fromStage: path[i - 1] ?? null,
        toStage: name,
        changedByUserId: owner.id,
        changedAt: Math.round(times[i]!),
      }),
    ),
  ]);
  return purchaseId;
}

/** Stores a provider's card payment, by default one that bought its lead. @returns its ID */
export async function insertPayment(
  db: Db,
  owner: UserRow,
  leadId: string,
  overrides: Partial<typeof payments.$inferInsert> = {},
): Promise<string> {
  const id = newId("pay");
  const now = overrides.createdAt ?? Date.now();
  await db.insert(payments).values({
    id,
    holdId: newId("hold"),
    leadId,
    region: "inner-west",
    buyerId: owner.id,
    userId: owner.id,
    stripePaymentIntentId: `pi_${id}`,
    state: "succeeded",
    amountCents: LEAD_PRICE_CENTS,
    cardBrand: "visa",
    cardLast4: "4242",
    succeededAt: now,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  });
  return id;
}

/** Stores an unhandled inspection booking. Returns its ID. */
export async function insertBooking(
  db: Db,
  overrides: Partial<typeof bookings.$inferInsert> = {},
): Promise<string> {
  const id = newId("bkg");
  const { phone = "0491 570 157", email = "ivy@example.com" } = overrides;
  await db.insert(bookings).values({
    id,
    name: "Ivy Inspect",
    phone,
    email,
    ...contactKeys(phone, email),
    vehicle: "Toyota Corolla 2014",
    serviceType: "pre_purchase_inspection",
    propertySize: "medium",
    createdAt: Date.now(),
    ...overrides,
  });
  return id;
}

/** Stores an open bad-lead report. Returns its ID. */
export async function insertBadLeadReport(
  db: Db,
  owner: UserRow,
  purchaseId: string,
  overrides: Partial<typeof badLeadReports.$inferInsert> = {},
): Promise<string> {
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId));
  const id = newId("bad");
  await db.insert(badLeadReports).values({
    id,
    purchaseId,
    leadId: purchase!.leadId,
    buyerId: owner.id,
    reason: "disconnected",
    createdAt: Date.now(),
    ...overrides,
  });
  return id;
}

/** Stores a review that the customer of a purchase wrote. Returns its ID. */
export async function insertReview(
  db: Db,
  purchaseId: string,
  overrides: Partial<typeof reviews.$inferInsert> = {},
): Promise<string> {
  const [sale] = await db
    .select({ purchase: leadPurchases, suburbId: leads.suburbId })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(eq(leadPurchases.id, purchaseId));
  const { purchase, suburbId } = sale!;
  const id = newId("rev");
  const now = Date.now();
  await db.insert(reviews).values({
    id,
    purchaseId,
    leadId: purchase.leadId,
    businessId: purchase.buyerId,
    invitedAt: now,
    endsAt: now + REVIEW_OPEN_DAYS * DAY_MS,
    stars: 5,
    words: "Neat edges, and on time.",
    customerName: "Anna",
    suburbId,
    serviceType: "lawn_mowing",
    writtenAt: now,
    updatedAt: now,
    ...overrides,
  });
  return id;
}

/** Gives a business a free claim, as an accepted bad-lead report does. Returns the free claim's ID. */
export async function insertFreeClaim(db: Db, owner: UserRow): Promise<string> {
  const purchaseId = await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  await insertBadLeadReport(db, owner, purchaseId, { state: "granted" });
  const id = newId("clm");
  const freeClaim = {
    id,
    buyerId: owner.id,
    purchaseId,
    priceCents: LEAD_PRICE_CENTS,
    createdAt: Date.now(),
  };
  await db.insert(freeClaims).values(freeClaim);
  return id;
}
