import type { bookings, leads, users } from "../db/schema.ts";
import { contactKeys, emailKey, nationalDigits, phoneKey, unreadKey } from "../quarantine/contact-keys.ts";

/** Whom an erasure is about. At least one of them says whom. */
export type Person = {
  /** Their number as requests and bookings are found by it, in every form it may be kept in. */
  phoneKeys: string[];
  /** In lower case. */
  email: string | null;
  /** The account that is erased whatever it is; lower case. */
  username: string | null;
};

/** Every form in which a number is kept; none for text that has no number in it. */
function keysOf(phone: string): string[] {
  const digits = nationalDigits(phone);
  if (digits === null) return [];
  const key = phoneKey(phone);
  return [...new Set([...(key ? [key] : []), `+61${digits}`, unreadKey(digits)])];
}

/**
 * Whom an operator means.
 * @returns null when one of the texts cannot name a single person
 */
export function personOf(input: {
  phone: string | null;
  email: string | null;
  username?: string | null | undefined;
}): Person | null {
  const phoneKeys = input.phone === null ? [] : keysOf(input.phone);
  const email = emailKey(input.email);
  const username = input.username?.trim().toLowerCase() || null;
  if (input.phone !== null && phoneKeys.length === 0) return null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  return phoneKeys.length === 0 && email === null && username === null
    ? null
    : { phoneKeys, email, username };
}

/** Whether what somebody typed as their number holds the person's. */
export function hasNumberOf({ phoneKeys }: Person, phone: string): boolean {
  const known = contactKeys(phone, null);
  return [known.phoneKey, known.otherPhoneKey].some((key) => key !== null && phoneKeys.includes(key));
}

/** What stands where a name stood. */
export const ERASED_NAME = "Erased customer";

/** A lead without its person. The job, its suburb and its times stay: they are about a lawn. */
export function erasedLead(now: number) {
  return {
    submissionId: null,
    customerId: null,
    customerName: ERASED_NAME,
    customerPhone: "",
    customerEmail: null,
    customerAddress: "",
    specificRequests: null,
    preferredLocation: null,
    phoneKey: null,
    otherPhoneKey: null,
    emailKey: null,
    streetKey: null,
    originKey: null,
    withdrawnReason: null,
    redactedName: null,
    redactedRequests: null,
    redactedLocation: null,
    erasedAt: now,
  } satisfies Partial<typeof leads.$inferInsert>;
}

/** A booking without its person. */
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

/** What an account of each kind is called when its person is gone. */
const ERASED_LAST_NAME = { customer: "customer", provider: "provider", team_member: "team member" } as const;

/** An account without its person: nobody can sign in to it, and its names are free again. */
export function erasedAccount(user: Pick<typeof users.$inferSelect, "id" | "userType">, now: number) {
  return {
    username: `erased-${user.id}`,
    email: null,
    pendingEmail: null,
    phone: null,
    firstName: "Erased",
    lastName: ERASED_LAST_NAME[user.userType],
    companyName: null,
    businessAddress: null,
    abn: null,
    insuranceDetails: null,
    serviceAreas: null,
    licenseNumber: null,
    watchedRegions: [],
    services: [],
    stripeCustomerId: null,
    passwordHash: "",
    isActive: false,
    isVerified: false,
    removedAt: now,
    updatedAt: now,
  } satisfies Partial<typeof users.$inferInsert>;
}

/** A purchase without its buyer: ids, amounts and times stay, for the books. */
export const ERASED_BUYER = {
  buyerName: "Erased provider",
  buyerEmail: null,
  buyerPhone: null,
  buyerCompany: null,
  salesNotes: null,
  nextActionNote: null,
} as const;
