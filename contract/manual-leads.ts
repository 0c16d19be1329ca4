import * as z from "zod/mini";

import { SERVICE_IDS } from "./catalogue.ts";
import { leadRequestSchema } from "./leads.ts";
import { optionalLine } from "./text-fields.ts";
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

const asked = leadRequestSchema.shape;

/** Body of POST /api/leads/manual: a customer whom the provider found without us. */
export const manualLeadSchema = z.object({
  /** Idempotency key, created once per form. The same id never creates a second lead. */
  submissionId: asked.submissionId,
  customerName: asked.customerName,
  customerPhone: phoneSchema("Phone number is required"),
  customerEmail: asked.customerEmail,
  customerAddress: optionalLine(200),
  preferredLocation: asked.preferredLocation,
  serviceType: z
    .array(z.enum(SERVICE_IDS, "Service type is required"), "Service type is required")
    .check(z.minLength(1, "Service type is required"), z.maxLength(SERVICE_IDS.length)),
  propertyType: z._default(asked.propertyType, MANUAL_DEFAULTS.propertyType),
  propertySize: z._default(asked.propertySize, MANUAL_DEFAULTS.propertySize),
  frequency: z._default(asked.frequency, MANUAL_DEFAULTS.frequency),
  urgency: asked.urgency,
  budgetConcern: z._default(asked.budgetConcern, MANUAL_DEFAULTS.budgetConcern),
  previousExperience: z._default(asked.previousExperience, MANUAL_DEFAULTS.previousExperience),
  specificRequests: asked.specificRequests,
});
export type ManualLead = z.infer<typeof manualLeadSchema>;
