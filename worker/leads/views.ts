/** A lead as providers and super admins see it: masked, redacted or whole. */
import type { LeadSummary } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import type { Customer } from "./redaction/own-words.ts";
import { redact } from "./redaction/redact.ts";
import type { LeadRow } from "./rules.ts";

/** First name and the surname's initial: "Anna Brown" is "Anna B."; odd input shows as "Customer". */
export function maskName(name: string): string {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  // A number in words, or an address run together, is a word of letters too.
  if (!/^[\p{L}][\p{L}'’-]{0,30}$/u.test(first) || redact(first) !== first) return "Customer";
  const initial = /^\p{L}/u.exec(rest.at(-1) ?? "")?.[0];
  return initial ? `${first} ${initial.toUpperCase()}.` : first;
}

/** The last three digits, the rest as dots. */
export function maskPhone(phone: string): string {
  return `•••• ••• ${phone.replaceAll(/\D/g, "").slice(-3)}`;
}

/** What rivals may read of a request. Worked out when it is stored, never when it is read. */
export type Redacted = Pick<LeadRow, "redactedName" | "redactedRequests" | "redactedLocation">;

/** What a customer wrote about themselves and the job, in full. */
export type Originals = Omit<Customer, "suburbName" | "suburbPostcode"> & {
  specificRequests?: string | null;
  preferredLocation?: string | null;
};

/**
 * What of a row a lead's summary for rivals is made of. The number is in it for its last three digits; by its source
 * one knows what its form asked.
 */
export type ShownLead = Redacted &
  Pick<
    LeadRow,
    Exclude<keyof LeadSummary & keyof LeadRow, keyof Originals> | "customerPhone" | "priceCents" | "source"
  >;

/** @param lead as the customer wrote it */
export function redactLead(lead: Originals & Pick<Customer, "suburbName" | "suburbPostcode">): Redacted {
  const { specificRequests, preferredLocation } = lead;
  return {
    redactedName: maskName(lead.customerName),
    redactedRequests: specificRequests ? redact(specificRequests, lead) : null,
    redactedLocation: preferredLocation ? redact(preferredLocation, lead) : null,
  };
}

/** What a lead says about the job in words of ours: anybody on the market may read it. */
export const CHOICES = [
  "suburbName",
  "suburbPostcode",
  "region",
  "serviceType",
  "propertyType",
  "propertySize",
  "grassType",
  "urgency",
  "frequency",
  "accessRequirements",
  "budgetConcern",
  "previousExperience",
  "lawnCondition",
  "hasSlopes",
  "hasPets",
  "preferredTime",
  "additionalServices",
] as const satisfies readonly (keyof LeadRow & keyof LeadSummary)[];

/** These fields of something, and no others. */
export function pick<Whole, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>;
}

/** What a lead says about the job and its suburb: the part that is not about reaching the customer. */
export function jobOf(lead: LeadRow) {
  const { specificRequests, preferredLocation } = lead;
  return { ...pick(lead, CHOICES), specificRequests, preferredLocation };
}

/** How the customer is reached, in full. */
export function contactOf(lead: LeadRow) {
  return {
    customerName: lead.customerName,
    customerPhone: lead.customerPhone,
    customerEmail: lead.customerEmail,
    customerAddress: lead.customerAddress,
  };
}

/** How a lead stands on the market. */
function marketStateOf(lead: ShownLead) {
  return {
    id: lead.id,
    latitude: lead.latitude,
    longitude: lead.longitude,
    leadScore: lead.leadScore,
    status: lead.status,
    price: centsToText(lead.priceCents),
    createdAt: lead.createdAt,
    expiresAt: lead.expiresAt,
    // D1 does not know of holds; who lists leads lays them over.
    heldUntil: null,
  };
}

/** A lead as super admins see it: everything. */
export function fullSummary(lead: LeadRow): LeadSummary {
  return { ...jobOf(lead), ...contactOf(lead), ...marketStateOf(lead) };
}

/** A lead as everybody else sees it before buying, out of no more than that takes. */
export function shownSummary(lead: ShownLead): LeadSummary {
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

/** The same out of a whole row; the exchange and its events hold nothing more. */
export function maskedSummary(lead: LeadRow): LeadSummary {
  // The release before this one stores requests without it; the next run of the cron makes up for that.
  return shownSummary(lead.redactedAt === null ? { ...lead, ...redactLead(lead) } : lead);
}
