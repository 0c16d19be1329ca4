import { eq } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import { database } from "../db/client.ts";
import { leads } from "../db/schema.ts";
import { exchangeOf } from "../exchange/stub.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { askExchange, askMarketOf, refusalError } from "../exchange/asking.ts";
import { projectListing } from "../exchange/projection-commands.ts";
import type { Answer } from "../exchange/listing.ts";
import { putOnMarket } from "../leads/commands.ts";
import { findLead } from "../leads/queries.ts";
import type { LeadRow } from "../leads/rules.ts";
import { log } from "../log.ts";
import { recordSale } from "../purchases/buy-commands.ts";
import { notifyRoom } from "../live/room.ts";
import type { PurchaseRow } from "../purchases/rules.ts";
import { findActiveProvider, findSoldPurchase } from "./queries.ts";

/** A refusal in an admin's words: they want to know whether to come back or to give up. */
function adminError(answer: Extract<Answer, { ok: false }>): DomainError {
  if (answer.reason === "taken") {
    return answer.until === undefined
      ? new DomainError("lead_taken", "This lead is sold.")
      : new DomainError(
          "lead_held",
          "A provider is paying for this lead just now. Try again in a few minutes.",
        );
  }
  if (answer.reason === "outdated")
    return new DomainError("lead_changed", "This lead was moved meanwhile. Reload and look again.");
  return refusalError(answer);
}

/** A lead that was given away, with everything its new owner sees. */
export type GivenLead = { purchase: PurchaseRow; lead: LeadRow };

/**
 * Gives a lead to a provider for free: a super admin claims it for their own business or assigns it.
 * Asking again answers with the same purchase.
 * @param order `businessId` gets the lead, `userId` is the admin who decides
 * @throws DomainError not_found for no such provider; lead_held, lead_taken, lead_closed, lead_not_found,
 *   already_bought, region_paused, exchange_unavailable, details_delayed
 */
export async function giveLead(
  env: Env,
  leadId: string,
  order: { businessId: string; userId: string; mode: "claimed" | "assigned" },
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<GivenLead> {
  const db = database(env.DB);
  if (!(await findActiveProvider(db, order.businessId)))
    throw new DomainError("not_found", "There is no such active provider");
  const { answer, region } = await askMarketOf(env, leadId, (exchange) =>
    exchange.sell({ leadId, ...order, amountCents: 0 }),
  );
  if (!answer.ok) throw adminError(answer);
  const { listing, repeated } = answer;
  const sale = listing.sale!;
  if (repeated && sale.mode !== order.mode)
    throw new DomainError("already_bought", "This lead is already in that provider's pipeline.");
  if ((await recordSale(env, region, listing, null)) === "conflict") throw new DomainError("lead_taken");
  ctx.waitUntil(notifyRoom(env, order, sale.purchaseId));
  const given = await findSoldPurchase(db, sale.purchaseId).catch(() => null);
  if (!given)
    throw new DomainError("details_delayed", "Lead assigned. It will show in the pipeline within a minute.");
  if (given.purchase.removedAt !== null) throw new DomainError("lead_closed");
  return given;
}

/** @throws DomainError lead_not_found */
async function marketLead(env: Env, leadId: string): Promise<LeadRow> {
  const lead = await findLead(database(env.DB), leadId);
  // What a provider brought along was never on the market.
  if (!lead || lead.source === "manual") throw new DomainError("lead_not_found");
  return lead;
}

/** Takes a lead off its market, there and in D1; what D1 misses now, the exchange's outbox tells it. */
async function depart(env: Env, lead: LeadRow, byUserId: string, toRegion: Region | null): Promise<void> {
  const { id: leadId, generation, priceCents, expiresAt, region } = lead;
  const terms = { leadId, generation, priceCents, expiresAt };
  const answer = await askExchange(env, region, (exchange) =>
    exchange.withdraw({ terms, byUserId, toRegion }),
  );
  if (!answer.ok) throw adminError(answer);
  await projectListing(database(env.DB), answer.listing, null);
  await exchangeOf(env, region)?.acknowledge(leadId, answer.listing.version);
}

/**
 * Takes a lead off the market for good, whether it was listed yet or not.
 * @param withdrawal the reason is kept with the lead, not in the log: it may speak of people
 * @returns the lead as it is now
 * @throws DomainError lead_held, lead_taken, lead_closed, lead_changed, lead_not_found, exchange_unavailable
 */
export async function withdrawLead(
  env: Env,
  leadId: string,
  withdrawal: { byUserId: string; reason: string },
): Promise<LeadRow> {
  const lead = await marketLead(env, leadId);
  await depart(env, lead, withdrawal.byUserId, null);
  const [row] = await database(env.DB)
    .update(leads)
    .set({ withdrawnReason: withdrawal.reason })
    .where(eq(leads.id, leadId))
    .returning();
  return row!;
}

/**
 * Moves a lead to another region's market: closed in the old one for good, one generation older there,
 * and listed anew. Should anything fail in between, the sweep lists it.
 * @returns the lead as it is now; `pending` while its new market has not answered
 * @throws DomainError lead_held, lead_taken, lead_closed, lead_changed, lead_not_found, exchange_unavailable
 */
export async function moveLead(
  env: Env,
  leadId: string,
  move: { byUserId: string; region: Region },
): Promise<LeadRow> {
  const lead = await marketLead(env, leadId);
  if (lead.region === move.region) return lead;
  if (lead.listingState === "quarantined")
    throw new DomainError("lead_changed", "Release this lead first, then move it.");
  await depart(env, lead, move.byUserId, move.region);
  const moved = await marketLead(env, leadId);
  await putOnMarket(env, moved).catch((error: unknown) => {
    log("warn", "listing_delayed", { leadId, error });
  });
  return marketLead(env, leadId);
}
