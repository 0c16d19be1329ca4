/** The columns that erasing a person overwrites. */
import { type FieldsWith, mapFields } from "../../../contract/lead-fields.ts";
import { ERASED_PROVIDER } from "../../leads/public-name.ts";
import type { bookings } from "../../leads/tables.ts";
import type { leads } from "../../platform/db/leads.ts";
import type { leadPurchases } from "../../platform/db/purchases.ts";
import type { users } from "../../platform/db/users.ts";
import { ERASED_LAST_NAME } from "./rules.ts";

type Table = typeof bookings | typeof leadPurchases | typeof leads | typeof users;

/** Free-text columns: not IDs, and not columns with a fixed list of values. */
type TextColumn<Row> = Exclude<
  { [Name in keyof Row]-?: string extends Row[Name] ? Name : never }[keyof Row],
  "id" | `${string}Id`
>;

/** A table's erased columns: each text, except those to keep, which say nothing about a person. */
type Erased<Of extends Table, Kept extends TextColumn<Of["$inferSelect"]>> = Partial<Of["$inferInsert"]> &
  Record<Exclude<TextColumn<Of["$inferSelect"]>, Kept>, unknown>;

/** The name that replaces a customer's name. */
export const ERASED_NAME = "Erased customer";

/**
 * Returns a lead's columns without its person. The job, its suburb and its times stay, because they only describe a
 * lawn.
 */
export function erasedLead(now: number) {
  return {
    ...mapFields<Record<FieldsWith<{ isShown: false }>, null>>(({ isShown }) => (isShown ? undefined : null)),
    submissionId: null,
    customerId: null,
    customerName: ERASED_NAME,
    customerPhone: "",
    customerAddress: "",
    phoneKey: null,
    otherPhoneKey: null,
    emailKey: null,
    emailBouncedAt: null,
    streetKey: null,
    originKey: null,
    excludedBusinessId: null,
    withdrawnReason: null,
    redactedName: null,
    redactedRequests: null,
    redactedLocation: null,
    erasedAt: now,
  } satisfies Erased<typeof leads, "reference" | "suburbName" | "suburbPostcode" | "consentWording">;
}

export function erasedBooking(now: number) {
  return {
    submissionId: null,
    name: ERASED_NAME,
    phone: "",
    email: "",
    vehicle: "",
    message: null,
    phoneKey: null,
    otherPhoneKey: null,
    emailKey: null,
    erasedAt: now,
  } satisfies Erased<
    typeof bookings,
    "reference" | "serviceType" | "propertySize" | "preferredDate" | "consentWording"
  >;
}

/**
 * Returns an account's columns without its person. Sign-in is impossible; the username and email can be used again.
 */
export function erasedAccount(user: Pick<typeof users.$inferSelect, "id" | "userType">, now: number) {
  return {
    username: `erased-${user.id}`,
    email: null,
    pendingEmail: null,
    phone: null,
    phoneKey: null,
    firstName: "Erased",
    lastName: ERASED_LAST_NAME[user.userType],
    companyName: null,
    businessAddress: null,
    abn: null,
    insuranceDetails: null,
    serviceAreas: null,
    licenseNumber: null,
    textTemplates: null,
    watchedRegions: [],
    services: [],
    stripeCustomerId: null,
    cardsCheckedAt: null,
    passwordHash: "",
    isActive: false,
    isVerified: false,
    removedAt: now,
    updatedAt: now,
  } satisfies Erased<typeof users, never>;
}

type KeptOfPurchase = "salesStage" | "tile" | "changeKeys";

/** Columns of a purchase without its customer. */
export const ERASED_CUSTOMER = {
  salesNotes: null,
  nextActionNote: null,
  answeredAt: null,
  answersSeenAt: null,
  corrected: null,
} as const satisfies Erased<
  typeof leadPurchases,
  KeptOfPurchase | "buyerName" | "buyerEmail" | "buyerPhone" | "buyerCompany"
>;

/** Columns of a purchase without its buyer and its customer. IDs, amounts and times stay for bookkeeping. */
export const ERASED_BUYER = {
  ...ERASED_CUSTOMER,
  buyerName: ERASED_PROVIDER,
  buyerEmail: null,
  buyerPhone: null,
  buyerCompany: null,
} as const satisfies Erased<typeof leadPurchases, KeptOfPurchase>;
