import * as z from "zod/mini";

import type { GuaranteeCase } from "./guarantee.ts";
import { optionalText } from "./text-fields.ts";

export const DUD_REASONS = [
  "disconnected",
  "fake",
  "not_as_described",
  "not_my_trade",
  "wrong_place",
  "own_customer",
] as const;
export type DudReason = (typeof DUD_REASONS)[number];

export const DUD_LABELS: Record<DudReason, string> = {
  disconnected: "The number is disconnected or wrong",
  fake: "The request is fake",
  not_as_described: "The job isn't as described",
  not_my_trade: "The job isn't my trade",
  wrong_place: "The job is in another place",
  own_customer: "They were already my customer",
};

export const DUD_STATES = ["open", "granted", "refused"] as const;
export type DudState = (typeof DUD_STATES)[number];

/** Days after the purchase in which a provider can report a bad lead. */
export const DUD_REPORT_DAYS = 7;

/** Body of POST /api/lead-purchases/{id}/dud. */
export const dudReportSchema = z.object({
  reason: z.enum(DUD_REASONS, "Please say what's wrong"),
  note: optionalText(1000),
});
export type DudReportForm = z.infer<typeof dudReportSchema>;

/** Body of POST /api/super-admin/duds/{id}/answer and guarantee/{id}/answer. The business sees the answer. */
export const freeClaimDecisionSchema = z.object({
  decision: z.enum(["granted", "refused"], "Grant or refuse"),
  answer: optionalText(1000),
});
export type FreeClaimDecision = z.infer<typeof freeClaimDecisionSchema>;

/** A dud report as the business that sent it sees it. */
export type DudReport = {
  id: string;
  purchaseId: string;
  reason: DudReason;
  state: DudState;
  answer: string | null;
  createdAt: number;
};

/**
 * Response of GET /api/duds: the business's reports, its cases under the guarantee, and the price of each free claim
 * that it has left, such as "50.00".
 */
export type DudOverview = { reports: DudReport[]; cases: GuaranteeCase[]; claimPrices: string[] };

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

/** A dud report as super admins see it. */
export type AdminDud = DudReport & AdminBoughtLead & { note: string | null; answeredAt: number | null };
