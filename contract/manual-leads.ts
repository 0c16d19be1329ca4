import * as z from "zod/mini";

import { SERVICE_IDS } from "./catalogue.ts";
import {
  BUDGET_CONCERNS,
  FREQUENCIES,
  PREVIOUS_EXPERIENCES,
  PROPERTY_SIZES,
  PROPERTY_TYPES,
  URGENCIES,
} from "./leads.ts";
import { optionalEmailSchema, optionalLine, optionalText, requiredLine } from "./text-fields.ts";
import { phoneSchema } from "./phone-fields.ts";

/** Initial values of the form, and of the fields that it does not show. */
export const MANUAL_DEFAULTS = {
  propertyType: "residential",
  propertySize: "medium",
  frequency: "one_off",
  urgency: "flexible",
  budgetConcern: "not_important",
  previousExperience: "first_time",
} as const;

/** Body of POST /api/leads/manual: a customer whom the provider found without us. */
export const manualLeadSchema = z.object({
  /** Idempotency key, created once per form. The same id never creates a second lead. */
  submissionId: z.optional(z.string().check(z.regex(/^[0-9a-zA-Z-]{16,64}$/, "Please reload the page"))),
  customerName: requiredLine("Customer name is required", { max: 100 }),
  customerPhone: phoneSchema("Phone number is required"),
  customerEmail: optionalEmailSchema("Valid email is required"),
  customerAddress: optionalLine(200),
  preferredLocation: optionalText(100),
  serviceType: z
    .array(z.enum(SERVICE_IDS, "Service type is required"), "Service type is required")
    .check(z.minLength(1, "Service type is required"), z.maxLength(SERVICE_IDS.length)),
  propertyType: z._default(
    z.enum(PROPERTY_TYPES, "Please choose a property type"),
    MANUAL_DEFAULTS.propertyType,
  ),
  propertySize: z._default(z.enum(PROPERTY_SIZES, "Property size is required"), MANUAL_DEFAULTS.propertySize),
  frequency: z._default(z.enum(FREQUENCIES, "Please choose how often"), MANUAL_DEFAULTS.frequency),
  urgency: z.enum(URGENCIES, "Please choose how soon"),
  budgetConcern: z._default(z.enum(BUDGET_CONCERNS, "Please choose one"), MANUAL_DEFAULTS.budgetConcern),
  previousExperience: z._default(
    z.enum(PREVIOUS_EXPERIENCES, "Please choose one"),
    MANUAL_DEFAULTS.previousExperience,
  ),
  specificRequests: optionalText(2000),
});
export type ManualLead = z.infer<typeof manualLeadSchema>;
