/** Commands to an exchange, for tests. */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import type { Region } from "../contract/regions.ts";
import { HOLD_MS } from "../worker/exchange/hold-rules.ts";
import type { Terms } from "../worker/exchange/listing.ts";
import type { LeadRow } from "../worker/leads/rules.ts";
import { maskedSummary } from "../worker/leads/views.ts";
import { newId } from "../worker/platform/ids.ts";

/** Returns a lead's terms, as stored in D1. */
export function termsOf(lead: Pick<LeadRow, "id"> & Partial<LeadRow>): Terms {
  const { id: leadId, generation = 1, priceCents = LEAD_PRICE_CENTS, expiresAt = Date.now() } = lead;
  return { leadId, generation, priceCents, expiresAt };
}

/** Returns the command that lists a lead. */
export function listOrder(lead: LeadRow) {
  return { type: "list", ...termsOf(lead), summary: maskedSummary(lead) } as const;
}

/** Returns the command that buys a lead for a provider without a card. */
export function directOrder(lead: { id: string }, user: { id: string }) {
  const buyer = { businessId: user.id, userId: user.id };
  return { type: "sell", leadId: lead.id, ...buyer, mode: "direct", amountCents: null } as const;
}

/** Returns the command that takes a hold before a provider pays for a lead. */
export function holdOrder(leadId: string, user: { id: string }) {
  const buyer = { businessId: user.id, userId: user.id };
  const terms = {
    amountCents: LEAD_PRICE_CENTS,
    holdId: newId("hold"),
    holdMs: HOLD_MS,
    hasPaid: true,
  };
  return { type: "hold", leadId, ...buyer, ...terms } as const;
}

/** Returns an admin's command that withdraws a lead from a market or moves it. */
export function withdrawalOf(lead: Pick<LeadRow, "id"> & Partial<LeadRow>, toRegion: Region | null = null) {
  return { type: "withdraw", ...termsOf(lead), byUserId: "user_admin", toRegion } as const;
}
