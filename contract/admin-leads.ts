/** Leads as super admins see and change them; apart from leads.ts, which visitors' pages carry. */
import * as z from "zod/mini";

import { LEAD_SOURCES, LEAD_STATUSES, type LeadSummary, LISTING_STATES } from "./leads.ts";
import { REGION_SLUGS } from "./regions.ts";
import { maxSigns } from "./text-fields.ts";

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

/** Words a search looks at; more of them narrow nothing. */
export const MOST_SEARCH_WORDS = 6;

/** Where admins look for leads. `q` is an id, a reference, a phone number, an email address, or words of name, suburb or street. */
export const adminLeadFilterSchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(254)), ""),
  state: z.optional(z.enum([...LISTING_STATES, ...LEAD_STATUSES], "Unknown state")),
  /** Only what is on the market or on its way there, whatever `state` says. */
  market: z.optional(z.enum(["only"])),
  region: z.optional(z.enum(REGION_SLUGS, "Unknown region")),
});

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

/** Body of POST /api/super-admin/regions/{region}/pause. Admins read the reason in the banner. */
export const pauseRegionSchema = z.object({ reason: withdrawLeadSchema.shape.reason });
export type PauseRegion = z.infer<typeof pauseRegionSchema>;
