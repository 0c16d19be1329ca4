/** A lead as providers and super admins see it: masked, redacted or in full. */
import { fieldsWith } from "../../contract/lead-fields.ts";
import type { LeadRequest, LeadSummary, screeningFields } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import type { placeFields } from "../../contract/address.ts";
import { phoneKey } from "../../contract/phone.ts";
import { type Customer, redact } from "./redaction/redact.ts";
import type { LeadRow } from "./rules.ts";

const NAME = /^\p{L}[\p{L}\p{M}'’‘ʼʻ′´`.-]{0,30}$/u;

const wordsOf = (name: string) => name.split(/\s+/).filter((word) => /\p{L}/u.test(word));
const initialOf = (word: string) => `${/\p{L}\p{M}*/u.exec(word)![0].toUpperCase()}.`;

/**
 * Returns the first name that anyone may read. Only the initial of a name of one word, which may be a surname, and of
 * anything that does not look like a name.
 */
export function maskFirstName(name: string): string {
  const [first, last] = wordsOf(name);
  if (first === undefined) return "Customer";
  return last !== undefined && NAME.test(first) && redact(first) === first ? first : initialOf(first);
}

/** Shortens the surname to its initial: "Anna Brown" becomes "Anna B.". */
export function maskName(name: string): string {
  const [first, ...rest] = wordsOf(name);
  const shown = maskFirstName(name);
  return shown === first && rest.length > 0 ? `${shown} ${initialOf(rest.at(-1)!)}` : shown;
}

/** Masks a phone number to its last three digits. */
export function maskPhone(phone: string): string {
  return `•••• ••• ${(phoneKey(phone) ?? phone).replaceAll(/\D/g, "").slice(-3)}`;
}

/** Masks an email address to its first letter and its host: "r•••@example.com". */
export function maskEmail(email: string): string {
  return email.trim().replace(/^(.)[^@]*/u, "$1•••");
}

/** The text that rivals may read. It is computed when a request is stored, not when it is read. */
export type Redacted = Pick<LeadRow, "redactedName" | "redactedRequests" | "redactedLocation">;

/** The customer's own texts about themselves and the job, in full. */
type Originals = Customer & {
  specificRequests?: string | null;
  preferredLocation?: string | null;
};

/**
 * Columns for a rival's summary. The phone number is needed for its last three digits.
 */
export type ShownLead = Redacted &
  Pick<LeadRow, Exclude<keyof LeadSummary & keyof LeadRow, TypedAnswer> | "customerPhone" | "priceCents">;

/** Begins the line with what stood behind an address, such as a gate code. Rivals do not get this line. */
export const ADDRESS_NOTE = "With the address: ";

const linesOf = (requests: string | null | undefined, isNote: boolean) =>
  (requests ?? "")
    .split("\n")
    .filter((line) => line.startsWith(ADDRESS_NOTE) === isNote)
    .join("\n");

/** Returns the customer's text, which their page shows, with the note of their address, which it does not show. */
export const keepAddressNote = (text: string | null, lead: Pick<LeadRow, "specificRequests">) =>
  [text, linesOf(lead.specificRequests, true)].filter(Boolean).join("\n") || null;

/** Redacts a lead's text for rivals. @param lead the lead, with the customer's own texts */
export function redactLead(lead: Originals): Redacted {
  const { preferredLocation } = lead;
  const specificRequests = linesOf(lead.specificRequests, false);
  return {
    redactedName: maskName(lead.customerName),
    redactedRequests: specificRequests ? redact(specificRequests, lead) : null,
    redactedLocation: preferredLocation ? redact(preferredLocation, lead) : null,
  };
}

type TextField = {
  [Field in keyof LeadRequest]-?: string extends LeadRequest[Field] ? Field : never;
}[keyof LeadRequest];

/** The answers that a customer types. Other providers see them masked or redacted at most. */
export type TypedAnswer = Exclude<
  TextField,
  keyof typeof screeningFields | keyof typeof placeFields | "submissionId" | "suburbId" | "consentWording"
>;

/** Fields about the job with predefined values, visible to all providers. */
export const CHOICES = [
  "suburbName",
  "suburbPostcode",
  "region",
  ...fieldsWith({ isShown: true }),
  "stated",
] as const satisfies readonly Exclude<keyof LeadRow & keyof LeadSummary, TypedAnswer>[];

/** Returns an object with these fields only. */
export function pick<Whole, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>;
}

const JOB = [...CHOICES, ...fieldsWith({ ask: "text" })] as const;
const CONTACT = ["customerName", "customerPhone", "customerEmail", "customerAddress"] as const;

/** How and when the customer wants to be reached. Rivals do not see it. */
const CONTACT_PREFERENCE = ["contactMethod", "contactTime"] as const;

/** All that a customer answered. */
export const ANSWERS = [...CONTACT, ...JOB, ...CONTACT_PREFERENCE] as const;

/** Columns of a lead that its buyer's pages need. */
export const SOLD_LEAD_COLUMNS = ["id", ...ANSWERS, "confirmedBy", "createdAt", "erasedAt"] as const;

/** A lead as its buyer's pages read it. */
export type SoldLeadRow = Pick<LeadRow, (typeof SOLD_LEAD_COLUMNS)[number]>;

/** Returns the job and the suburb, without contact details. */
export const jobOf = (lead: SoldLeadRow) => pick(lead, JOB);

/** Returns the customer's contact details in full. */
export const contactOf = (lead: SoldLeadRow) => pick(lead, CONTACT);

/** Returns how and when the customer wants to be reached. */
export const contactPreferenceOf = (lead: Pick<LeadRow, (typeof CONTACT_PREFERENCE)[number]>) =>
  pick(lead, CONTACT_PREFERENCE);

function marketStateOf(lead: ShownLead) {
  return {
    id: lead.id,
    latitude: lead.latitude,
    longitude: lead.longitude,
    photoCount: lead.photoCount,
    confirmedBy: lead.confirmedBy,
    leadScore: lead.leadScore,
    status: lead.status,
    price: centsToText(lead.priceCents),
    createdAt: lead.createdAt,
    expiresAt: lead.expiresAt,
    // D1 does not store holds. The code that lists leads adds them.
    heldUntil: null,
  };
}

/** Returns a lead as super admins see it: in full. */
export function fullSummary(lead: LeadRow): LeadSummary {
  return { ...jobOf(lead), ...contactOf(lead), ...marketStateOf(lead) };
}

/** Returns a lead as providers see it before they buy it. The exchange stores and sends only this. */
export function maskedSummary(lead: ShownLead): LeadSummary {
  return {
    ...pick(lead, CHOICES),
    ...marketStateOf(lead),
    customerName: lead.redactedName ?? "Customer",
    customerPhone: maskPhone(lead.customerPhone),
    customerEmail: null,
    customerAddress: null,
    specificRequests: lead.redactedRequests,
    preferredLocation: lead.redactedLocation,
  };
}
