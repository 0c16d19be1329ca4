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

/** What an account of each kind is called when its person is gone. */
export const ERASED_LAST_NAME = {
  customer: "customer",
  provider: "provider",
  team_member: "team member",
} as const;
