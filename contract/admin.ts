import * as z from "zod/mini";

import { LEAD_SOURCES, LEAD_STATUSES, type LeadSummary, LISTING_STATES, maxSigns } from "./leads.ts";
import { REGION_SLUGS } from "./regions.ts";
import type { SuburbDetail } from "./suburbs.ts";

/** Body of POST /api/super-admin/leads/{id}/withdraw. The reason is kept with the lead, for admins. */
export const withdrawLeadSchema = z.object({
  reason: z
    .string("Please say why")
    .check(z.trim(), z.minLength(3, "Please say why"), maxSigns(500, "At most 500 characters")),
});
export type WithdrawLead = z.infer<typeof withdrawLeadSchema>;

/** Body of POST /api/super-admin/leads/{id}/move. */
export const moveLeadSchema = z.object({ region: z.enum(REGION_SLUGS, "Unknown region") });
export type MoveLead = z.infer<typeof moveLeadSchema>;

/** How much waits for a super admin, by page. */
export type AdminOverview = { quarantined: number; duds: number; attention: number; bookings: number };

/** Why a visitor's request was kept off the market. */
export const QUARANTINE_REASONS = [
  "duplicate",
  "impossible_phone",
  "honeypot",
  "too_fast",
  "many_from_address",
  "start_reused",
  "challenge_missing",
  "challenge_failed",
  "challenge_unavailable",
  "not_our_form",
  "no_script",
  "program",
  "abroad",
  "hidden_network",
  "others_from_network",
  "copied_text",
  "phone_series",
  "phone_of_another",
  "made_up_phone",
  "made_up_words",
  "busy_suburb",
  "no_such_place",
  "link",
  "throwaway_email",
  "impossible_answers",
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export const QUARANTINE_LABELS: Record<QuarantineReason, string> = {
  duplicate: "Same person, place and service as another request",
  impossible_phone: "No such phone number",
  honeypot: "Filled a field people cannot see",
  too_fast: "Sent too fast to be typed",
  many_from_address: "Many requests from one network address",
  start_reused: "Sent with the time stamp of another request",
  challenge_missing: "Sent without Cloudflare's check, as a browser without script does",
  challenge_failed: "Failed Cloudflare's check",
  challenge_unavailable: "Cloudflare's check did not answer",
  not_our_form: "Did not come from a form of ours",
  no_script: "Sent without script",
  program: "Sent by a program, not a browser",
  abroad: "Sent from outside Australia",
  hidden_network: "Sent from a data centre or through a network that hides its sender",
  others_from_network: "Other people asked from the same network within a day",
  copied_text: "Nearly the same words as in another person's request",
  phone_series: "Its phone number follows on from another request's",
  phone_of_another: "Its phone number came under another name before",
  made_up_phone: "A phone number that looks made up",
  made_up_words: "A name, an address or words that look made up",
  busy_suburb: "Far more requests for this suburb than usual",
  no_such_place: "The address names no suburb we know",
  link: "There is a link in the words",
  throwaway_email: "An email address from a throwaway service",
  impossible_answers: "Answers that none of our forms can send together",
};

/** A lead in the admins' list, with all there is to know about it. */
export type AdminLead = LeadSummary & {
  source: (typeof LEAD_SOURCES)[number];
  listingState: (typeof LISTING_STATES)[number];
  quarantineReasons: string[];
  reviewedAt: number | null;
  withdrawnReason: string | null;
  /** Who has it; null while nobody does. */
  buyer: { businessId: string; name: string; mode: string; amountPaid: string } | null;
};

/** Where admins look for leads. `q` is an id, a phone number or an email address. */
export const adminLeadFilterSchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(254)), ""),
  state: z.optional(z.enum([...LISTING_STATES, ...LEAD_STATUSES], "Unknown state")),
  region: z.optional(z.enum(REGION_SLUGS, "Unknown region")),
});

/** Body of POST /api/super-admin/leads/{id}/drop. */
export const dropLeadSchema = z.object({
  reason: z.optional(z.nullable(z.string().check(z.trim(), maxSigns(500, "At most 500 characters")))),
});

/** A booking in the admins' list. */
export type AdminBooking = {
  id: string;
  name: string;
  phone: string;
  email: string;
  vehicle: string;
  serviceType: string;
  propertySize: string;
  preferredDate: string | null;
  message: string | null;
  suburbName: string | null;
  /** The lead a garden booking became. */
  leadId: string | null;
  handledAt: number | null;
  handledBy: string | null;
  createdAt: number;
};

/** Body of POST /api/super-admin/bookings/{id}/handled. */
export const handledSchema = z.object({ handled: z.boolean("Yes or no") });

/** A line of the payments ledger. */
export type AdminPayment = {
  id: string;
  holdId: string;
  leadId: string;
  region: string;
  buyerId: string;
  buyerName: string;
  state: string;
  /** Decimal text. */
  amount: string;
  stripePaymentIntentId: string | null;
  card: string | null;
  lastError: string | null;
  createdAt: number;
  succeededAt: number | null;
  refundedAt: number | null;
  /** What went back so far, as decimal text; null when nothing did. */
  refunded: string | null;
};

/** Something the system could not put right by itself. */
export type AttentionItem = {
  kind: string;
  subjectId: string;
  detail: string;
  since: number;
  resolvedAt: number | null;
};

/** Body of POST /api/super-admin/attention/resolve. */
export const resolveAttentionSchema = z.object({
  kind: z.string("Which kind?").check(z.regex(/^[a-z_]{1,60}$/, "Which kind?")),
  subjectId: z.string("About what?").check(z.minLength(1, "About what?"), z.maxLength(200, "About what?")),
});

/** A suburb as admins edit it. */
export type AdminSuburb = SuburbDetail & { isActive: boolean; population: number };

const words = (max: number) => z.optional(z.nullable(z.string().check(z.trim(), maxSigns(max))));

/** Body of PATCH /api/super-admin/suburbs/{id}. Absent fields stay, empty texts are cleared. */
export const suburbChangeSchema = z
  .object({
    isActive: z.optional(z.boolean("Yes or no")),
    /** Whole dollars. */
    priceFrom: z.optional(
      z
        .int("Whole dollars, from 1 to 9999")
        .check(
          z.minimum(1, "Whole dollars, from 1 to 9999"),
          z.maximum(9999, "Whole dollars, from 1 to 9999"),
        ),
    ),
    description: words(4000),
    phone: words(40),
    email: words(254),
    address: words(200),
    openingHours: words(400),
  })
  .check(
    z.refine((change) => Object.values(change).some((value) => value !== undefined), "Nothing to change"),
  );
export type SuburbChange = z.infer<typeof suburbChangeSchema>;

/** A line of the audit log. Names are looked up when it is read; the log itself holds ids only. */
export type AuditLine = {
  id: number;
  at: number;
  actor: { id: string; name: string } | null;
  as: { id: string; name: string } | null;
  action: string;
  subjectType: string;
  subjectId: string;
  before: unknown;
  after: unknown;
  requestId: string | null;
};

const epochMs = z.optional(z.coerce.number("A time in epoch milliseconds").check(z.int()));

/** Which lines of the log are wanted. */
export const auditFilterSchema = z.object({
  /** Whoever was at the keyboard or impersonated. */
  userId: z.optional(z.string().check(z.maxLength(60))),
  /** An action, or the part before its dot. */
  action: z.optional(z.string().check(z.regex(/^[a-z_.]{0,60}$/, "Unknown action"))),
  subjectId: z.optional(z.string().check(z.maxLength(200))),
  from: epochMs,
  to: epochMs,
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;
