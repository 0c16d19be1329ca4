import { phoneKey } from "../../../contract/phone.ts";
import { contactKeys, emailKey, nationalDigits, unparsedKey } from "../../leads/quarantine/contact-keys.ts";
import { DomainError } from "../../platform/errors.ts";

/** The person to erase. At least one field is set. */
export type ErasedPerson = {
  /** The number's contact keys, in every form that requests and bookings may contain. */
  phoneKeys: string[];
  /** Lower case. */
  email: string | null;
  /** Username of the account to erase, in lower case. Any account type except super admin. */
  username: string | null;
};

/** Returns every stored form of a phone number; an empty list for text without a number. */
function keysOf(phone: string): string[] {
  const digits = nationalDigits(phone);
  if (digits === null) return [];
  const key = phoneKey(phone);
  return [...new Set([...(key ? [key] : []), `+61${digits}`, unparsedKey(digits)])];
}

/**
 * Reads an operator's input.
 * @returns null if the input does not identify a single person
 */
export function personOf(input: {
  phone: string | null;
  email: string | null;
  username?: string | null | undefined;
}): ErasedPerson | null {
  const phoneKeys = input.phone === null ? [] : keysOf(input.phone);
  const email = emailKey(input.email);
  const username = input.username?.trim().toLowerCase() || null;
  if (input.phone !== null && phoneKeys.length === 0) return null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  return phoneKeys.length === 0 && email === null && username === null
    ? null
    : { phoneKeys, email, username };
}

/** Returns whether a typed phone number contains the person's number. */
export function hasNumberOf({ phoneKeys }: ErasedPerson, phone: string): boolean {
  const known = contactKeys(phone, null);
  return [known.phoneKey, known.otherPhoneKey].some((key) => key !== null && phoneKeys.includes(key));
}

/** The last name of an erased account, by account type. */
export const ERASED_LAST_NAME = {
  customer: "customer",
  provider: "provider",
  team_member: "team member",
} as const;

const CLOSURE_JOB = "job_closure_";

/** Returns the ID of the job that erases an account, with its business, after its user has closed it. */
export const closureJobId = (userId: string): string => `${CLOSURE_JOB}${userId}`;

/** Returns the ID of the user who closed the account that a job erases; null for any other job. */
export const closedUserId = (jobId: string): string | null =>
  jobId.startsWith(CLOSURE_JOB) ? jobId.slice(CLOSURE_JOB.length) : null;

/**
 * Refuses to close a super admin's account, which we never erase, and one that is paying for a lead.
 * @throws DomainError forbidden for a super admin; open_purchase while the business holds a lead
 */
export function refuseClosure({
  isSuperAdmin,
  isPaying,
}: {
  isSuperAdmin: boolean;
  isPaying: boolean;
}): void {
  if (isSuperAdmin)
    throw new DomainError(
      "forbidden",
      "You're a super admin. Ask another admin to remove your admin rights first.",
    );
  if (isPaying)
    throw new DomainError(
      "open_purchase",
      "You're buying a lead. Finish or close the payment first. Then you can close your account.",
    );
}
