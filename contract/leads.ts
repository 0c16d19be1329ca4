import * as z from "zod/mini";
import { catch as orElse } from "zod/mini";

import { addressSchema, placeFields } from "./address.ts";
import { type Field, type FieldsWith, fieldsWith, type LeadFields, mapFields } from "./lead-fields.ts";
import { visitorPhoneSchema } from "./phone-fields.ts";
import { STATED_DETAILS } from "./stated-details.ts";
import { maxCharacters, optionalEmailSchema, optionalText, requiredLine } from "./text-fields.ts";

/** How a customer showed that we can reach them. */
export const CONFIRMED_BY = ["email", "sms"] as const;

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

/** A field with a control. The others have their own schemas. */
type Question = FieldsWith<{ ask: string }>;
type ChoiceSchema<Asked> = Asked extends { choices: readonly (infer Choice extends string)[] }
  ? z.ZodMiniEnum<{ [Each in Choice]: Each }>
  : z.ZodMiniBoolean<boolean>;
type GivenSchema<Asked> = Asked extends { ask: "boxes" }
  ? z.ZodMiniArray<ChoiceSchema<Asked>>
  : ChoiceSchema<Asked>;
type AnswerSchema<Asked> = Asked extends { ask: "text" }
  ? ReturnType<typeof optionalText>
  : Asked extends { omitted: null }
    ? z.ZodMiniOptional<z.ZodMiniNullable<GivenSchema<Asked>>>
    : Asked extends { omitted: "default" }
      ? z.ZodMiniDefault<GivenSchema<Asked>>
      : GivenSchema<Asked>;

/** Returns the schema of a question's answer in a request. */
function answerSchema(field: Field): z.ZodMiniType | undefined {
  const { ask, max = 0, choices = [], wrong, missing, omitted } = field;
  if (!ask) return undefined;
  if (ask === "text") return optionalText(max);
  const one = ask === "flag" ? z.boolean(wrong) : z.enum(choices, wrong);
  const some = z
    .array(one, missing)
    .check(z.minLength(missing ? 1 : 0, missing), z.maxLength(choices.length));
  const given: z.ZodMiniType = ask === "boxes" ? some : one;
  if (omitted === null) return z.optional(z.nullable(given));
  return omitted ? z._default(given, field.default) : given;
}

const answers = mapFields<{ [Name in Question]: AnswerSchema<LeadFields[Name]> }>(answerSchema);

/**
 * How and when the customer wants to be reached. Both are optional. Only the buyer and super admins see them. The Worker
 * refuses email without an address, so that the form's script stays small.
 */
export const contactPreferenceFields = {
  contactMethod: answers.contactMethod,
  contactTime: answers.contactTime,
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
  ...answers,
  /** The details that the visitor stated; absent if the form does not record that. */
  stated: z.optional(z.nullable(z.array(z.enum(STATED_DETAILS)).check(z.maxLength(STATED_DETAILS.length)))),
  suburbId: z.optional(z.nullable(z.string().check(z.regex(/^sub_[a-z0-9-]{2,60}$/, "Unknown suburb")))),
  /** Id of the privacy wording shown above the button. */
  consentWording: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
});
export type LeadRequest = z.infer<typeof leadRequestSchema>;
export type LeadRequestInput = z.input<typeof leadRequestSchema>;

/** Initial values of the three-step form. */
export const QUOTE_DEFAULTS = mapFields<{
  readonly [Name in FieldsWith<{ default: unknown }>]: LeadFields[Name]["default"];
}>((field) => field.default) satisfies Partial<LeadRequestInput>;

/** Returns the frequency that the form proposes for some services. */
export const getDefaultFrequency = (services: readonly string[]) =>
  services.includes("lawn_mowing") ? QUOTE_DEFAULTS.frequency : "one_off";

/** Returns whether the form may have proposed a frequency, for these or earlier services. */
export const isProposedFrequency = (frequency: unknown) =>
  frequency === QUOTE_DEFAULTS.frequency || frequency === "one_off";

/** Fields of each step of the quote form. The visitor can leave a step only when its fields are valid. */
export const QUOTE_STEPS = (
  [
    ["property", "Property Info", ["customerAddress", "addressSuburb", "addressPostcode"]],
    ["service", "Service Needs", []],
    ["details", "Your Details", ["customerName", "customerPhone", "customerEmail"]],
  ] as const
).map(([step, title, contact]) => ({
  title,
  fields: [...contact, ...fieldsWith({ step })] as readonly string[],
}));

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

type ShownSchema<Asked> = Asked extends { ask: "flag" }
  ? typeof shownFlag
  : Asked extends { ask: "boxes" }
    ? typeof shownTexts
    : Asked extends { omitted: null }
      ? typeof optionalShownText
      : typeof shownText;

function shownSchema({ ask, omitted }: Field, name: string) {
  if (!ask || name in contactPreferenceFields) return undefined;
  if (ask === "flag") return shownFlag;
  if (ask === "boxes") return shownTexts;
  return omitted === null ? optionalShownText : shownText;
}

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
  ...mapFields<{
    [Name in Exclude<Question, keyof typeof contactPreferenceFields>]: ShownSchema<LeadFields[Name]>;
  }>(shownSchema),
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
