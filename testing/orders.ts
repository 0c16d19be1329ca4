/** Commands to an exchange, for tests. */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import type { Region } from "../contract/regions.ts";
import type { SellInput, WithdrawInput } from "../worker/exchange/object.ts";
import type { LeadRow } from "../worker/leads/rules.ts";

/** Returns the order of a provider who buys a lead without a card. */
export function directOrder(lead: { id: string }, user: { id: string }): SellInput {
  return { leadId: lead.id, businessId: user.id, userId: user.id, mode: "direct", amountCents: null };
}

/** Returns an admin's command to withdraw a lead from a market or to move it. */
export function withdrawalOf(
  lead: Pick<LeadRow, "id"> & Partial<LeadRow>,
  toRegion: Region | null = null,
): WithdrawInput {
  const { id: leadId, generation = 1, priceCents = LEAD_PRICE_CENTS, expiresAt = Date.now() } = lead;
  return { terms: { leadId, generation, priceCents, expiresAt }, byUserId: "user_admin", toRegion };
}
