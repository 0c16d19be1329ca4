import * as z from "zod/mini";

import type { GuaranteeCase } from "./guarantee.ts";
import { optionalText } from "./text-fields.ts";

export const BAD_LEAD_REASONS = [
  "disconnected",
  "fake",
  "not_as_described",
  "not_my_trade",
  "wrong_place",
  "own_customer",
] as const;
export type BadLeadReason = (typeof BAD_LEAD_REASONS)[number];

export const BAD_LEAD_LABELS: Record<BadLeadReason, string> = {
  disconnected: "The number is disconnected or wrong",
  fake: "The request is fake",
  not_as_described: "The job isn't as described",
  not_my_trade: "The job isn't my trade",
  wrong_place: "The job is in another place",
  own_customer: "They were already my customer",
};

export const BAD_LEAD_STATES = ["open", "granted", "refused"] as const;
export type BadLeadState = (typeof BAD_LEAD_STATES)[number];

/** Days after the purchase in which a provider can report a bad lead. Also the limit of the rule `wrong_number`. */
export const BAD_LEAD_REPORT_DAYS = 7;

/** Body of POST /api/lead-purchases/{id}/bad-lead. */
export const badLeadReportSchema = z.object({
  reason: z.enum(BAD_LEAD_REASONS, "Please choose what's wrong"),
  note: optionalText(1000),
  /** Whether the stored photo belongs to the report. Otherwise it is deleted: the provider has removed it. */
  hasPhoto: z._default(z.boolean("Yes or no"), false),
});
export type BadLeadReportForm = z.infer<typeof badLeadReportSchema>;

/** Body of POST /api/super-admin/bad-leads/{id}/answer and guarantee/{id}/answer. The business sees the answer. */
export const freeClaimDecisionSchema = z.object({
  decision: z.enum(["granted", "refused"], "Grant or refuse"),
  answer: optionalText(1000),
});
export type FreeClaimDecision = z.infer<typeof freeClaimDecisionSchema>;

/** A bad-lead report as the business that sent it sees it. */
export type BadLeadReport = {
  id: string;
  purchaseId: string;
  reason: BadLeadReason;
  state: BadLeadState;
  answer: string | null;
  createdAt: number;
};

/**
 * Response of GET /api/bad-leads: the business's reports, its cases under the guarantee, and the price of each free claim
 * that it has left, such as "50.00".
 */
export type BadLeadOverview = { reports: BadLeadReport[]; cases: GuaranteeCase[]; claimPrices: string[] };

/** A bought lead as super admins see it when they decide about a free claim. */
export type AdminBoughtLead = {
  leadId: string;
  businessId: string;
  businessName: string;
  customerName: string;
  customerPhone: string;
  customerEmail: string | null;
  suburbName: string | null;
  boughtAt: number;
};

/** A bad-lead report as super admins see it. */
export type AdminBadLead = BadLeadReport &
  AdminBoughtLead & { note: string | null; photoId: string | null; decidedAt: number | null };
