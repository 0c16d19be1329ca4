import { eq, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import { putOnMarket } from "../../customer/rescue/store.ts";
import { leads } from "../../platform/db/leads.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { adminRefusalError, exchangeOf, sendCommand } from "../../exchange/exchange-calls.ts";
import { projectListing } from "../../leads/projection-commands.ts";
import { log } from "../../platform/log.ts";
import { findLead } from "../../leads/queries.ts";
import type { LeadRow } from "../../leads/rules.ts";

/** Returns a lead of the market. @throws DomainError lead_not_found */
async function findMarketLead(context: Context, leadId: string): Promise<LeadRow> {
  const lead = await findLead(context.db, leadId);
  // A lead that a provider added has never been on the market.
  if (!lead || lead.source === "manual") throw new DomainError("lead_not_found");
  return lead;
}

/** The admin who withdraws or moves a lead, and the request. */
type MarketExit = { byUserId: string; requestId?: string };

/**
 * Takes a lead off its market, in the exchange and in D1. If the write to D1 fails, the exchange's outbox retries it.
 */
async function takeOffMarket(
  context: Context,
  lead: LeadRow,
  by: MarketExit,
  toRegion: Region | null,
): Promise<void> {
  const { byUserId, requestId = null } = by;
  const { id: leadId, generation, priceCents, expiresAt, region, exchangeVersion: knownVersion } = lead;
  const terms = { leadId, generation, priceCents, expiresAt, knownVersion };
  const answer = await sendCommand(context, region, { type: "withdraw", ...terms, byUserId, toRegion });
  if (!answer.ok) throw adminRefusalError(answer);
  await projectListing(context.db, answer.listing, null, requestId);
  await exchangeOf(context, region)?.acknowledge(leadId, answer.listing.version);
}

/**
 * Withdraws a lead permanently, whether it is listed or not.
 * @param withdrawal the reason is stored with the lead, not in the audit log: it may contain personal details. A
 *   second withdrawal does not replace the first reason.
 * @returns the lead after the change
 * @throws DomainError lead_held, lead_taken, lead_closed, lead_changed, lead_not_found, exchange_unavailable
 */
export async function withdrawLead(
  context: Context,
  leadId: string,
  withdrawal: MarketExit & { reason: string },
): Promise<LeadRow> {
  const lead = await findMarketLead(context, leadId);
  await takeOffMarket(context, lead, withdrawal, null);
  const [row] = await context.db
    .update(leads)
    .set({ withdrawnReason: sql`coalesce(${leads.withdrawnReason}, ${withdrawal.reason})` })
    .where(eq(leads.id, leadId))
    .returning();
  return row!;
}

/**
 * Moves a lead to another region's market. Closes it permanently in the old region, and lists it in the new region
 * with the next generation. If a step fails, the sweep lists the lead.
 * @returns the lead after the change; `pending` until the new exchange has responded
 * @throws DomainError lead_held, lead_taken, lead_closed, lead_changed, lead_not_found, exchange_unavailable
 */
export async function moveLead(
  context: Context,
  leadId: string,
  move: MarketExit & { region: Region },
): Promise<LeadRow> {
  const lead = await findMarketLead(context, leadId);
  if (lead.region === move.region) return lead;
  if (lead.listingState === "quarantined")
    throw new DomainError("lead_changed", "Release this lead first, then move it.");
  await takeOffMarket(context, lead, move, move.region);
  const moved = await findMarketLead(context, leadId);
  await putOnMarket(context, moved).catch((error: unknown) => {
    log("warn", "listing_delayed", { leadId, error });
  });
  return findMarketLead(context, leadId);
}
