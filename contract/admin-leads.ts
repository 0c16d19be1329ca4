/** Leads as super admins see and change them. Separate from leads.ts, which visitors' pages load. */
import * as z from "zod/mini";

import type { ContactPreference } from "./lead-labels.ts";
import { LEAD_SOURCES, LEAD_STATUSES, type LeadSummary, LISTING_STATES } from "./leads.ts";
import { CALL_STEPS } from "./market-figures.ts";
import { REGION_SLUGS } from "./regions.ts";
import { startOfSydneyDay } from "./sydney-time.ts";
import { maxCharacters } from "./text-fields.ts";

/** A lead in the admins' list, with all its details. */
export type AdminLead = LeadSummary &
  ContactPreference & {
    source: (typeof LEAD_SOURCES)[number];
    listingState: (typeof LISTING_STATES)[number];
    quarantineReasons: string[];
    reviewedAt: number | null;
    /** Increases with each change by the customer. */
    revision: number;
    withdrawnReason: string | null;
    /** Ids of the customer's photos. */
    photos: string[];
    /** The business that owns the lead; null when there is none. */
    buyer: { businessId: string; name: string; mode: string; amountPaid: string } | null;
  };

const daySchema = z
  .string()
  .check(z.refine((day) => startOfSydneyDay(day) !== null, "A day such as 2026-11-22"));

/** Maximum words in a search. Further words are ignored. */
export const MAX_SEARCH_WORDS = 6;

/**
 * Filters for the admin lead list. `q` is an id, a reference, a phone number, an email address, or words from a name,
 * suburb or street.
 */
export const adminLeadFilterSchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(254)), ""),
  state: z.optional(z.enum([...LISTING_STATES, ...LEAD_STATUSES], "Unknown state")),
  /** Only leads on the market or pending, in addition to `state`. */
  market: z.optional(z.enum(["only"])),
  region: z.optional(z.enum(REGION_SLUGS, "Unknown region")),
  /** Only requests that reached this step from the request to the job. Without `from`, of the last 12 weeks. */
  step: z.optional(z.enum(CALL_STEPS, "Unknown step")),
  /** Only requests of these days in Sydney, both included. */
  from: z.optional(daySchema),
  to: z.optional(daySchema),
});

/** Body of POST /api/super-admin/leads/{id}/withdraw. The reason is stored with the lead, for admins. */
export const withdrawLeadSchema = z.object({
  reason: z.string("Please say why").check(z.trim(), z.minLength(3, "Please say why"), maxCharacters(500)),
});

/** Body of POST /api/super-admin/leads/{id}/move. */
export const moveLeadSchema = z.object({ region: z.enum(REGION_SLUGS, "Unknown region") });

/** Body of POST /api/super-admin/regions/{region}/pause. Admins see the reason in the banner. */
export const pauseRegionSchema = z.object({ reason: withdrawLeadSchema.shape.reason });
