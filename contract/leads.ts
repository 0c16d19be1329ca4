import * as z from "zod/mini";
import { catch as orElse } from "zod/mini";

import { SERVICE_IDS } from "./catalogue.ts";
import { maxCharacters, optionalEmailSchema, optionalText, requiredLine } from "./text-fields.ts";
import { STATED_DETAILS } from "./stated-details.ts";
import { addressSchema, placeFields } from "./address.ts";
import { visitorPhoneSchema } from "./phone-fields.ts";

/* Allowed values, shared by the form, the API schema and lead-labels.ts. */
export const PROPERTY_TYPES = ["residential", "commercial", "strata"] as const;
export const PROPERTY_SIZES = ["small", "medium", "large", "extra_large"] as const;
export const GRASS_TYPES = ["buffalo", "kikuyu", "couch", "zoysia", "mixed", "not_sure"] as const;
export const URGENCIES = ["urgent", "within_week", "within_month", "flexible"] as const;
export const FREQUENCIES = ["one_off", "weekly", "fortnightly", "monthly", "seasonal"] as const;
export const ACCESS_KINDS = ["easy_access", "narrow_gate", "locked_gate", "steps_or_slope"] as const;
export const BUDGET_CONCERNS = ["very_important", "somewhat_important", "not_important"] as const;
export const PREVIOUS_EXPERIENCES = ["first_time", "had_issues_before", "regular_customer"] as const;
export const LAWN_CONDITIONS = ["excellent", "good", "average", "poor", "overgrown"] as const;
export const PREFERRED_TIMES = ["morning", "afternoon", "evening", "anytime"] as const;
/** How a customer showed that we can reach them. */
export const CONFIRMED_BY = ["email", "sms"] as const;
/** How a customer wants to be reached, and when. */
export const CONTACT_METHODS = ["call", "text", "email"] as const;
export const CONTACT_TIMES = PREFERRED_TIMES;

export const ADDITIONAL_SERVICES = ["edging", "blowing", "weeding", "fertilizing", "mulching"] as const;

/** State of a lead on the market, as stored in D1. D1 does not store holds. */
export const LEAD_STATUSES = ["available", "sold", "withdrawn", "expired"] as const;

/** State of a request before the market. The sweep lists only `pending` requests on an exchange. */
export const LISTING_STATES = ["pending", "listed", "quarantined", "private", "closed"] as const;

export const LEAD_SOURCES = ["quote", "booking", "manual"] as const;

export const leadIdSchema = z.string().check(z.regex(/^lead_[a-z-]{2,40}_[0-9a-z]{12,32}$/, "Unknown lead"));

/** Hidden fields for detecting bots. */
export const screeningFields = {
  /** Honeypot: hidden from people and from assistive technology. */
  homepage: z.optional(z.nullable(z.string().check(maxCharacters(500)))),
  /**
   * When the visitor first touched the form, signed by us; absent without JavaScript. An invalid token is not an error.
   */
  startToken: z.optional(z.nullable(z.string())),
  /** The browser's Cloudflare Turnstile token, where Turnstile is on. An invalid token is not an error. */
  turnstileToken: z.optional(z.nullable(z.string())),
};

/**
 * How and when the customer wants to be reached. Both are optional. Only the buyer and super admins see them. The Worker
 * refuses email without an address, so that the form's script stays small.
 */
export const contactPreferenceFields = {
  contactMethod: z.optional(z.nullable(z.enum(CONTACT_METHODS, "Please choose one"))),
  contactTime: z.optional(z.nullable(z.enum(CONTACT_TIMES, "Please choose one"))),
};

/** Body of POST /api/leads: a visitor's request for a quote. */
export const leadRequestSchema = z.object({
  ...screeningFields,
  /** Idempotency key, created once per form by the browser or the server. The same id never creates a second lead. */
  submissionId: z.optional(z.string().check(z.regex(/^[0-9a-zA-Z-]{16,64}$/, "Please reload the page"))),
  customerName: requiredLine("Customer name is required", { max: 100 }),
  customerPhone: visitorPhoneSchema("Phone number must be at least 10 digits"),
  customerEmail: optionalEmailSchema("Valid email is required"),
  customerAddress: addressSchema,
  ...placeFields,
  serviceType: z
    .array(z.enum(SERVICE_IDS, "Please select a service we offer"), "Please select at least one service")
    .check(z.minLength(1, "Please select at least one service"), z.maxLength(SERVICE_IDS.length)),
  propertyType: z.enum(PROPERTY_TYPES, "Please choose a property type"),
  propertySize: z.enum(PROPERTY_SIZES, "Property size is required"),
  grassType: z.optional(z.nullable(z.enum(GRASS_TYPES, "Please choose a grass type"))),
  urgency: z.enum(URGENCIES, "Please choose how soon"),
  frequency: z.enum(FREQUENCIES, "Please choose how often"),
  accessRequirements: z.optional(z.nullable(z.enum(ACCESS_KINDS, "Please choose your lawn access"))),
  budgetConcern: z.enum(BUDGET_CONCERNS, "Please choose one"),
  previousExperience: z.enum(PREVIOUS_EXPERIENCES, "Please choose one"),
  specificRequests: optionalText(2000),
  lawnCondition: z.optional(z.nullable(z.enum(LAWN_CONDITIONS, "Please choose the lawn's condition"))),
  hasSlopes: z._default(z.boolean("Yes or no"), false),
  hasPets: z._default(z.boolean("Yes or no"), false),
  preferredTime: z._default(z.enum(PREFERRED_TIMES, "Please choose a time"), "anytime"),
  additionalServices: z._default(
    z.array(z.enum(ADDITIONAL_SERVICES, "Please choose from the list")).check(z.maxLength(5)),
    [],
  ),
  preferredLocation: optionalText(100),
  ...contactPreferenceFields,
  /** The details that the visitor stated; absent if the form does not record that. */
  stated: z.optional(z.nullable(z.array(z.enum(STATED_DETAILS)).check(z.maxLength(STATED_DETAILS.length)))),
  suburbId: z.optional(z.nullable(z.string().check(z.regex(/^sub_[a-z0-9-]{2,60}$/, "Unknown suburb")))),
  /** Id of the privacy wording shown above the button. */
  consentWording: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
});
export type LeadRequest = z.infer<typeof leadRequestSchema>;
export type LeadRequestInput = z.input<typeof leadRequestSchema>;

/** The form's checkboxes. Their defaults tell the form which are flags and which are lists. */
type Checkbox = {
  [Field in keyof LeadRequest]-?: LeadRequest[Field] extends boolean | readonly unknown[] ? Field : never;
}[keyof LeadRequest];

/** Initial values of the three-step form. */
export const QUOTE_DEFAULTS = {
  serviceType: ["lawn_mowing"],
  propertyType: "residential",
  propertySize: "medium",
  grassType: "buffalo",
  urgency: "within_week",
  frequency: "fortnightly",
  accessRequirements: "easy_access",
  lawnCondition: "good",
  preferredTime: "anytime",
  contactTime: "anytime",
  hasSlopes: false,
  hasPets: false,
  budgetConcern: "not_important",
  previousExperience: "first_time",
  additionalServices: [],
} as const satisfies Partial<LeadRequestInput> & Record<Checkbox, unknown>;

/** Frequencies that the form proposes: for mowing, and for other services. */
const PROPOSED_FREQUENCIES = [QUOTE_DEFAULTS.frequency, "one_off"] as const;

/** Returns the frequency that the form proposes for some services. */
export const getDefaultFrequency = (services: readonly string[]) =>
  PROPOSED_FREQUENCIES[services.includes("lawn_mowing") ? 0 : 1];

/** Returns whether the form may have proposed a frequency, for these or earlier services. */
export const isProposedFrequency = (frequency: unknown) =>
  PROPOSED_FREQUENCIES.some((proposed) => proposed === frequency);

/** Fields of each step of the quote form. The visitor can leave a step only when its fields are valid. */
export const QUOTE_STEPS = [
  {
    title: "Property Info",
    fields: [
      "customerAddress",
      "addressSuburb",
      "addressPostcode",
      "propertyType",
      "propertySize",
      "grassType",
      "lawnCondition",
      "accessRequirements",
      "hasSlopes",
      "hasPets",
    ],
  },
  {
    title: "Service Needs",
    fields: [
      "serviceType",
      "urgency",
      "frequency",
      "preferredTime",
      "additionalServices",
      "specificRequests",
    ],
  },
  {
    title: "Your Details",
    fields: [
      "customerName",
      "customerPhone",
      "customerEmail",
      "contactMethod",
      "contactTime",
      "budgetConcern",
      "previousExperience",
    ],
  },
] as const satisfies readonly { title: string; fields: readonly (keyof LeadRequest)[] }[];

/*
 * Exchanges store summaries while a lead is open, and browsers with last week's code read them. So the schema requires
 * only the fields needed to show or buy a lead. Every other field has a fallback. The schema does not check values
 * against the current lists (docs/decisions/0008).
 */
const shownText = orElse(z.string(), "");
const optionalShownText = orElse(z.nullable(z.string()), null);
const shownNumber = orElse(z.nullable(z.number()), null);
const shownTexts = orElse(z.array(z.string()), []);
const shownFlag = orElse(z.boolean(), false);

/**
 * A lead as a provider sees it before buying. The contact fields are masked: first name and initial, the phone's last
 * three digits, no email, no street. Super admins get the same shape unmasked.
 */
export const leadSummarySchema = z.object({
  id: z.string(),
  /** A region's slug. A region that this release does not know is shown by its slug. */
  region: z.string(),
  customerName: shownText,
  customerPhone: shownText,
  customerEmail: optionalShownText,
  customerAddress: optionalShownText,
  suburbName: optionalShownText,
  suburbPostcode: optionalShownText,
  /** The suburb's centre, never the property's position. */
  latitude: shownNumber,
  longitude: shownNumber,
  serviceType: shownTexts,
  propertyType: shownText,
  propertySize: shownText,
  grassType: optionalShownText,
  urgency: shownText,
  frequency: shownText,
  accessRequirements: optionalShownText,
  budgetConcern: shownText,
  previousExperience: shownText,
  specificRequests: optionalShownText,
  lawnCondition: optionalShownText,
  hasSlopes: shownFlag,
  hasPets: shownFlag,
  preferredTime: shownText,
  additionalServices: shownTexts,
  preferredLocation: optionalShownText,
  /** The details that the customer stated; null if that is not recorded. */
  stated: orElse(z.nullable(z.array(z.string())), null),
  /** How many photos the customer sent. Only the buyer sees them. */
  photoCount: orElse(z.number(), 0),
  /** How the customer showed that we can reach them; null until then. */
  confirmedBy: orElse(z.nullable(z.enum(CONFIRMED_BY)), null),
  leadScore: orElse(z.number(), 0),
  status: orElse(z.enum(LEAD_STATUSES), "available"),
  /** Decimal text, e.g. "50.00". */
  price: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
  /** When the current hold expires, epoch milliseconds; null while the lead is for sale. */
  heldUntil: shownNumber,
});
export type LeadSummary = z.infer<typeof leadSummarySchema>;

/** A lead that only this business can buy until a time (epoch ms). */
export type OfferedLead = { lead: LeadSummary; endsAt: number };
