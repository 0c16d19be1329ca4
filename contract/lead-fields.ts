/**
 * A lead's fields. The form, the schemas, the lead's details, the texts about changes, the CSV, the redaction and the
 * erasure read this table. It contains no schema, so that islands and the dashboard load without zod.
 */
import { SERVICE_IDS } from "./catalogue.ts";
import { PROPERTY_SIZES, URGENCIES } from "./lead-choices.ts";

export type Field = {
  /** The short name, in a lead's details, its changes and the CSV. */
  name: string;
  /**
   * Whether all providers see the answer before the sale, and an erasure keeps it. The other answers are masked or
   * hidden (worker/leads/views.ts), and erased. The buyer sees all of them.
   */
  isShown: boolean;
  /** The control. Contact details have none, because each has its own field and its own schema. */
  ask?: "radios" | "select" | "boxes" | "flag" | "text";
  choices?: readonly [string, ...string[]];
  /** Maximum length of a text. */
  max?: number;
  /** Error message for a value that is not allowed. */
  wrong?: string;
  /** The message for an empty list, if it must not be empty. */
  missing?: string;
  /** What an omitted answer counts as. Without this, a request needs the answer. */
  omitted?: null | "default";
  /** The initial value in the form. */
  default?: string | false | string[];
  /** The step of the quote form. The customer can change what the first two ask. */
  step?: "property" | "service" | "details";
  label?: string;
  /** Whether an asterisk follows the label. */
  isMarked?: true;
  /** Whether the form asks below "Tell us more" or "How to reach you". */
  isFolded?: true;
  /** The field to the left, if two share a line. */
  beside?: string;
  /** Whether we record if the customer stated it. The buyer does not see an unstated default (stated-details.ts). */
  isRecorded?: true;
  isInCsv?: true;
};

/** What a field needs for its control and its step. */
type Needs = (
  | { ask: "radios" | "select"; choices: readonly string[]; wrong: string }
  | { ask: "boxes"; choices: readonly string[]; wrong: string; default: string[] }
  | { ask: "flag"; wrong: string; default: false; omitted: "default" }
  | { ask: "text"; max: number; omitted: null }
  | { ask?: undefined }
) &
  ({ step: string; label: string } | { step?: undefined });

const TIMES = ["morning", "afternoon", "evening", "anytime"] as const;

/** What several fields have in common. */
const CONTACT = { isShown: false } as const;
const PREFERENCE = {
  ...CONTACT,
  ask: "select",
  step: "details",
  isFolded: true,
  omitted: null,
  wrong: "Please choose one",
} as const;
const MAIN = { ask: "radios", isShown: true, isMarked: true, isRecorded: true, isInCsv: true } as const;
const MORE = { step: "property", isFolded: true, isShown: true } as const;
const MORE_CHOICE = { ...MORE, ask: "select", isRecorded: true, omitted: null } as const;
const FLAG = { ...MORE, ask: "flag", wrong: "Yes or no", default: false, omitted: "default" } as const;
const TEXT = { ask: "text", isShown: false, omitted: null } as const;

/** In the order of the CSV, of a lead's details and, within each step, of the form. */
export const LEAD_FIELDS = {
  customerName: { ...CONTACT, name: "Name" },
  customerPhone: { ...CONTACT, name: "Phone" },
  customerEmail: { ...CONTACT, name: "Email" },
  contactMethod: {
    ...PREFERENCE,
    name: "How to reach them",
    label: "How",
    choices: ["call", "text", "email"],
  },
  contactTime: {
    ...PREFERENCE,
    name: "When to reach them",
    label: "When",
    beside: "contactMethod",
    choices: TIMES,
    default: "anytime",
  },
  customerAddress: { ...CONTACT, name: "Address" },
  serviceType: {
    name: "Services",
    isShown: true,
    ask: "boxes",
    step: "service",
    label: "Services",
    isMarked: true,
    choices: SERVICE_IDS,
    wrong: "Please select a service we offer",
    missing: "Please select at least one service",
    default: ["lawn_mowing"],
  },
  urgency: {
    ...MAIN,
    name: "How soon",
    step: "service",
    label: "How soon?",
    choices: URGENCIES,
    wrong: "Please choose how soon",
    default: "within_week",
  },
  frequency: {
    ...MAIN,
    name: "How often",
    step: "service",
    label: "How often?",
    choices: ["one_off", "weekly", "fortnightly", "monthly", "seasonal"],
    wrong: "Please choose how often",
    default: "fortnightly",
  },
  propertyType: {
    ...MAIN,
    name: "Property",
    step: "property",
    label: "Property type",
    choices: ["residential", "commercial", "strata"],
    wrong: "Please choose a property type",
    default: "residential",
  },
  propertySize: {
    ...MAIN,
    name: "Size",
    step: "property",
    label: "Property size",
    choices: PROPERTY_SIZES,
    wrong: "Property size is required",
    default: "medium",
  },
  lawnCondition: {
    ...MORE_CHOICE,
    name: "Lawn",
    label: "Lawn condition",
    beside: "grassType",
    choices: ["excellent", "good", "average", "poor", "overgrown"],
    wrong: "Please choose the lawn's condition",
    default: "good",
  },
  grassType: {
    ...MORE_CHOICE,
    name: "Grass",
    label: "Grass type",
    choices: ["buffalo", "kikuyu", "couch", "zoysia", "mixed", "not_sure"],
    wrong: "Please choose a grass type",
    default: "buffalo",
  },
  accessRequirements: {
    ...MORE_CHOICE,
    name: "Access",
    label: "Access to the lawn",
    choices: ["easy_access", "narrow_gate", "locked_gate", "steps_or_slope"],
    wrong: "Please choose your lawn access",
    default: "easy_access",
  },
  hasSlopes: { ...FLAG, name: "Slopes", label: "Sloping block" },
  hasPets: { ...FLAG, name: "Pets", label: "Pets at home" },
  preferredTime: {
    name: "Best time",
    isShown: true,
    ask: "radios",
    step: "service",
    label: "Preferred time",
    choices: TIMES,
    wrong: "Please choose a time",
    default: "anytime",
    omitted: "default",
  },
  additionalServices: {
    name: "Extras",
    isShown: true,
    ask: "boxes",
    step: "service",
    label: "Anything else?",
    choices: ["edging", "blowing", "weeding", "fertilizing", "mulching"],
    wrong: "Please choose from the list",
    default: [],
    omitted: "default",
  },
  specificRequests: { ...TEXT, name: "Notes", step: "service", label: "Specific requests", max: 2000 },
  budgetConcern: {
    name: "Budget",
    isShown: true,
    ask: "radios",
    step: "details",
    label: "How important is price?",
    choices: ["very_important", "somewhat_important", "not_important"],
    wrong: "Please choose one",
    default: "not_important",
  },
  previousExperience: {
    name: "Experience",
    isShown: true,
    ask: "select",
    step: "details",
    label: "Have you used a lawn service before?",
    choices: ["first_time", "had_issues_before", "regular_customer"],
    wrong: "Please choose one",
    default: "first_time",
    isRecorded: true,
  },
  /** Asked only when a provider adds a lead, because that lead may have no address. */
  preferredLocation: { ...TEXT, name: "Location", max: 100 },
} as const satisfies Record<string, Field & Needs>;

export type LeadFields = typeof LEAD_FIELDS;
export type LeadField = keyof LeadFields;

/** The names of the fields with some properties. */
export type FieldsWith<Properties> = {
  [Name in LeadField]: LeadFields[Name] extends Properties ? Name : never;
}[LeadField];

/** Returns the names of the fields with some properties, in the table's order. */
export function fieldsWith<const Properties extends Partial<Field>>(properties: Properties) {
  const wanted = Object.entries(properties);
  const names = Object.entries<Readonly<Record<string, unknown>>>(LEAD_FIELDS)
    .filter(([, field]) => wanted.every(([property, value]) => field[property] === value))
    .map(([name]) => name);
  return names as FieldsWith<Properties>[];
}

/** Returns an object with the fields for which a function returns a value. */
export const mapFields = <Values>(valueOf: (field: Field, name: string) => unknown) =>
  Object.fromEntries(
    Object.entries<Field>(LEAD_FIELDS)
      .map(([name, field]) => [name, valueOf(field, name)])
      .filter(([, value]) => value !== undefined),
  ) as Values;

/** Returns a field without the exact types of its values. */
export const fieldOf = (name: LeadField): Field => LEAD_FIELDS[name];

/** One of a field's choices. */
export type ChoiceOf<Name extends FieldsWith<{ choices: unknown }>> = LeadFields[Name]["choices"][number];
