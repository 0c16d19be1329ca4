/** The columns that erasing a person overwrites. */
import { type FieldsWith, mapFields } from "../../../contract/lead-fields.ts";
import { ERASED_PROVIDER } from "../../leads/public-name.ts";
import type { TypedAnswer } from "../../leads/views.ts";
import type { bookings, leads, users } from "../../platform/db/schema.ts";
import { ERASED_LAST_NAME } from "./person.ts";

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
    streetKey: null,
    originKey: null,
    excludedBusinessId: null,
    withdrawnReason: null,
    redactedName: null,
    redactedRequests: null,
    redactedLocation: null,
    erasedAt: now,
  } satisfies Partial<typeof leads.$inferInsert> & Record<TypedAnswer, unknown>;
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
  } satisfies Partial<typeof bookings.$inferInsert>;
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
  } satisfies Partial<typeof users.$inferInsert>;
}

/** Columns of a purchase without its buyer. IDs, amounts and times stay for bookkeeping. */
export const ERASED_BUYER = {
  buyerName: ERASED_PROVIDER,
  buyerEmail: null,
  buyerPhone: null,
  buyerCompany: null,
  salesNotes: null,
  nextActionNote: null,
  answeredAt: null,
  answersSeenAt: null,
  corrected: null,
} as const;
