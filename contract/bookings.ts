import * as z from "zod/mini";

import { INSPECTION_IDS, type InspectionId, SERVICE_IDS } from "./catalogue.ts";
import { emptyToNull, maxCharacters, optionalText, requiredLine } from "./text-fields.ts";
import { visitorPhoneSchema } from "./phone-fields.ts";
import { PROPERTY_SIZES } from "./lead-choices.ts";
import { screeningFields } from "./leads.ts";
import { addDays, sydneyDay } from "./sydney-time.ts";

const EMAIL = "Please enter a valid email address";
const DATE = "Please choose a day from the calendar";
const DATE_IN_PAST = "That day has passed. Please choose another.";
const DATE_TOO_FAR = "Please choose a day within the next 12 months.";
const VEHICLE = "Please use at most 120 characters";

/** Body of POST /api/bookings, which a visitor sends from a suburb's page. */
export const bookingSchema = z.object({
  ...screeningFields,
  /** Idempotency key, created once per form. The same id never creates a second booking. */
  submissionId: z.optional(z.string().check(z.regex(/^[0-9a-zA-Z-]{16,55}$/, "Please reload the page"))),
  name: requiredLine("Name must be at least 2 characters", { min: 2, max: 100 }),
  phone: visitorPhoneSchema("Phone number must be at least 10 characters"),
  email: z.string(EMAIL).check(z.trim(), z.toLowerCase(), z.maxLength(254, EMAIL), z.email(EMAIL)),
  /** For an inspection only; empty otherwise. */
  vehicle: z.string(VEHICLE).check(z.trim(), maxCharacters(120, VEHICLE)),
  serviceType: z.enum([...SERVICE_IDS, ...INSPECTION_IDS], "Please select a service type"),
  propertySize: z.enum(PROPERTY_SIZES, "Property size is required"),
  preferredDate: z.optional(
    z.nullable(
      z.pipe(
        z.union([z.literal(""), z.iso.date()], DATE).check(
          z.refine((day) => day === "" || day >= sydneyDay(Date.now()), DATE_IN_PAST),
          z.refine((day) => day <= addDays(sydneyDay(Date.now()), 366), DATE_TOO_FAR),
        ),
        z.transform(emptyToNull),
      ),
    ),
  ),
  message: optionalText(2000),
  suburbId: z.optional(z.nullable(z.string().check(z.regex(/^sub_[a-z0-9-]{2,60}$/, "Unknown suburb")))),
  /** Id of the privacy wording shown above the button. */
  consentWording: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
});
export type BookingRequest = z.infer<typeof bookingSchema>;
export type BookingRequestInput = z.input<typeof bookingSchema>;

/** Returns whether a booking is a vehicle inspection. Providers never see inspections. */
export function isInspection(serviceType: unknown): serviceType is InspectionId {
  return (INSPECTION_IDS as readonly unknown[]).includes(serviceType);
}

/** Response of POST /api/bookings. The thank-you page shows part of it. */
export type BookingResponse = {
  id: string;
  /** The lead created from garden work; null for an inspection. */
  leadId: string | null;
  /** Reference that the visitor can read out over the phone. */
  reference: string | null;
  /** The secret of the link to the lead's page; null for an inspection. */
  token: string | null;
  suburbId: string | null;
  suburbName: string | null;
  createdAt: number;
};

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
  /** The lead created from a garden booking. */
  leadId: string | null;
  /** The booking's own reference, or its lead's. */
  reference: string | null;
  handledAt: number | null;
  handledBy: string | null;
  createdAt: number;
};

/** Body of POST /api/super-admin/bookings/{id}/handled. */
export const handledSchema = z.object({ handled: z.boolean("Yes or no") });
