import type { bookings, leads } from "../db/schema.ts";

/** Whom an erasure is about. At least one of them is set. */
export type Person = {
  /** The nine digits after +61 or 0. */
  phoneDigits: string | null;
  /** In lower case. */
  email: string | null;
};

/** An Australian number without its country code or leading zero has nine digits. */
const NATIONAL_DIGITS = 9;

/**
 * Reads a phone number however it is spaced or prefixed.
 * @returns its nine national digits; null when it has fewer, which would match strangers
 */
export function nationalDigits(phone: string): string | null {
  const digits = phone.normalize("NFKC").replaceAll(/\D/g, "");
  return digits.length < NATIONAL_DIGITS ? null : digits.slice(-NATIONAL_DIGITS);
}

/**
 * Whom an operator means.
 * @returns null when neither text can name a single person
 */
export function personOf(input: { phone: string | null; email: string | null }): Person | null {
  const phoneDigits = input.phone === null ? null : nationalDigits(input.phone);
  const email = input.email?.trim().toLowerCase() || null;
  if (input.phone !== null && phoneDigits === null) return null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  return phoneDigits === null && email === null ? null : { phoneDigits, email };
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
    emailKey: null,
    streetKey: null,
    originKey: null,
    withdrawnReason: null,
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
    erasedAt: now,
  } satisfies Partial<typeof bookings.$inferInsert>;
}
