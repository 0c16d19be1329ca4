import * as z from "zod/mini";

import { SERVICE_IDS, type ServiceId, serviceName } from "./catalogue.ts";
import { type ChoiceOf, mapFields, type FieldsWith } from "./lead-fields.ts";
import { type LeadRequestInput, type QUOTE_DEFAULTS, screeningFields } from "./leads.ts";
import { maxCharacters, optionalText, requiredLine } from "./text-fields.ts";
import { addressSchema, placeFields } from "./address.ts";
import { visitorPhoneSchema } from "./phone-fields.ts";

/** Default values of the fields that the short forms omit. */
export const SIMPLE_QUOTE_DEFAULTS = {
  ...mapFields<Pick<typeof QUOTE_DEFAULTS, FieldsWith<{ omitted: "default" }>>>((field) =>
    field.omitted ? field.default : undefined,
  ),
  propertyType: "residential",
  propertySize: "medium",
  urgency: "within_week",
  frequency: "one_off",
  budgetConcern: "somewhat_important",
  previousExperience: "first_time",
  lawnCondition: "average",
} as const satisfies Partial<LeadRequestInput>;

/** Additional services that each service page's form adds to the request. */
export const SERVICE_EXTRAS: Partial<Record<ServiceId, ChoiceOf<"additionalServices">[]>> = {
  garden_cleanup: ["weeding", "mulching"],
  yard_cleanup: ["blowing", "weeding"],
  hedge_trimming: ["edging"],
};

const contactFields = {
  ...screeningFields,
  customerName: requiredLine("Name must be at least 2 characters", { min: 2, max: 100 }),
  customerPhone: visitorPhoneSchema("Phone number must be at least 10 digits"),
  customerAddress: addressSchema,
  ...placeFields,
};

/** The form of the services page. */
export const servicesQuoteSchema = z.object({
  ...contactFields,
  servicesWanted: z
    .array(z.enum(SERVICE_IDS, "Please select a service we offer"))
    .check(z.minLength(1, "Please select at least one service")),
  serviceNeed: optionalText(2000),
});

/** The form of one service's page, where visitors describe what they need. */
export const serviceQuoteSchema = z.object({
  ...contactFields,
  serviceNeed: z
    .string("Please describe what you need")
    .check(z.trim(), z.minLength(10, "Please describe what you need"), maxCharacters(2000)),
});

/**
 * Converts a short form to a full request.
 * @param services the chosen services, or the page's own service
 */
export function toLeadRequest(
  form: {
    customerName: string;
    customerPhone: string;
    customerAddress: string;
    addressSuburb?: string | null | undefined;
    addressPostcode?: string | null | undefined;
    serviceNeed?: string | null | undefined;
    homepage?: string | null | undefined;
    startToken?: string | null | undefined;
    turnstileToken?: string | null | undefined;
  },
  services: readonly ServiceId[],
  extras: readonly ChoiceOf<"additionalServices">[] = [],
): LeadRequestInput {
  const { serviceNeed, ...contact } = form;
  return {
    ...SIMPLE_QUOTE_DEFAULTS,
    ...contact,
    customerEmail: "",
    serviceType: [...services],
    additionalServices: [...extras],
    stated: [],
    specificRequests: serviceNeed || `Services requested: ${services.map(serviceName).join(", ")}`,
  };
}
