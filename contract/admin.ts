import * as z from "zod/mini";

import { REGION_SLUGS } from "./regions.ts";

/** Body of POST /api/super-admin/leads/{id}/withdraw. The reason is kept with the lead, for admins. */
export const withdrawLeadSchema = z.object({
  reason: z
    .string("Please say why")
    .check(z.trim(), z.minLength(3, "Please say why"), z.maxLength(500, "At most 500 characters")),
});
export type WithdrawLead = z.infer<typeof withdrawLeadSchema>;

/** Body of POST /api/super-admin/leads/{id}/move. */
export const moveLeadSchema = z.object({ region: z.enum(REGION_SLUGS, "Unknown region") });
export type MoveLead = z.infer<typeof moveLeadSchema>;

/** How much waits for a super admin, by page. */
export type AdminOverview = { quarantined: number; duds: number; attention: number; bookings: number };
