/** A customer's change to a request: storing it, applying it to the lead, and describing it to the buyer. No I/O. */
import { DAY_MS } from "../../../contract/durations.ts";
import type { ConfirmedBy } from "../../../contract/lead-labels.ts";
import { CONFIRMED_BY } from "../../../contract/leads.ts";
import { phoneKey } from "../../../contract/phone.ts";
import {
  type CustomerChange,
  type RequestJob,
  jobSchema,
  MAX_DIGIT_TRIES,
  type RequestChange,
} from "../../../contract/request-links.ts";
import { STATED_DETAILS } from "../../../contract/stated-details.ts";
import { emailKey } from "../../leads/quarantine/contact-keys.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { maskEmail, maskPhone, pick, redactLead } from "../../leads/views.ts";

/** The details of a job that the customer's page shows. */
const JOB_FIELDS = Object.keys(jobSchema.shape) as (keyof RequestJob)[];
type Field = keyof RequestChange;

/**
 * Returns the number of guesses that a request accepts: wrong last digits, and changes of contact details that reveal
 * another request. It grows with time, so a stranger with a forwarded link cannot lock the customer out for good.
 */
export function maxDigitTries({ createdAt }: LeadRow, now: number): number {
  return MAX_DIGIT_TRIES + Math.floor((now - createdAt) / (30 * DAY_MS));
}

/** Returns whether the customer left the text as the page showed it, which is redacted. */
export function isShownText(lead: LeadRow, text: string | null | undefined): boolean {
  return withLineFeeds(text ?? "").trim() === withLineFeeds(lead.redactedRequests ?? "").trim();
}

/** Returns the job of a lead as its customer may read it: with redacted text, because a link may be forwarded. */
export function shownJob(lead: LeadRow): RequestJob {
  return { ...pick(lead, JOB_FIELDS), specificRequests: lead.redactedRequests } as RequestJob;
}

/** Returns a value as the buyer's timeline stores it. */
function toText(field: Field, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (field === "customerPhone") return maskPhone(String(value));
  if (field === "customerEmail") return maskEmail(String(value));
  return Array.isArray(value) ? value.join(",") || null : String(value);
}

/**
 * Returns the details that a change alters. Phone numbers and email addresses are masked, so that no row keeps an old one.
 */
export function differences(lead: LeadRow, change: RequestChange): CustomerChange[] {
  return (Object.keys(change) as Field[]).flatMap((field) => {
    const [before, after] = [lead[field], change[field]];
    const isSame = JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
    return isSame ? [] : [{ field, before: toText(field, before), after: toText(field, after) }];
  });
}

/** Returns which contact details a change replaced. They are not confirmed, and earlier links do not confirm them. */
export function findReplacedContacts(lead: LeadRow, revised: LeadRow): ConfirmedBy[] {
  return CONFIRMED_BY.filter((by) =>
    by === "email"
      ? emailKey(revised.customerEmail) !== emailKey(lead.customerEmail)
      : phoneKey(revised.customerPhone) !== phoneKey(lead.customerPhone),
  );
}

/**
 * Returns the lead after a change, with its texts redacted. A text that the customer keeps is redacted further, never
 * less: it may name their earlier surname or street.
 * @param revision the change's number
 */
export function applyChange(lead: LeadRow, change: RequestChange, revision: number): LeadRow {
  const revised = { ...lead, ...change } as LeadRow;
  const isTextKept = change.specificRequests === undefined;
  const shown = {
    ...revised,
    specificRequests: (isTextKept ? lead.redactedRequests : null) ?? revised.specificRequests,
    preferredLocation: lead.redactedLocation ?? revised.preferredLocation,
  };
  const confirmedBy = findReplacedContacts(lead, revised).some((by) => by === lead.confirmedBy)
    ? null
    : lead.confirmedBy;
  const changed = new Set(differences(lead, change).map(({ field }) => field));
  const { stated: before } = lead;
  const stated = before && STATED_DETAILS.filter((name) => before.includes(name) || changed.has(name));
  return { ...revised, ...redactLead(shown), stated, revision, confirmedBy };
}

/** Returns a change as it is stored: JSON text by field, so that SQLite can merge two changes. */
export function toStoredChange(change: RequestChange): Record<string, string> {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([field, value]) => [field, JSON.stringify(value)]));
}

/** Returns a text with the line breaks that JSON bodies have: forms send "\r\n". */
const withLineFeeds = (text: string) => text.replaceAll("\r\n", "\n");

/** Reads a stored change. @param stored from `toStoredChange` */
export function readStoredChange(stored: Record<string, string>): RequestChange {
  const entries = Object.entries(stored).map(([field, value]) => [field, JSON.parse(value) as unknown]);
  const change = Object.fromEntries(entries) as RequestChange;
  const { specificRequests: text } = change;
  return text ? { ...change, specificRequests: withLineFeeds(text) } : change;
}
