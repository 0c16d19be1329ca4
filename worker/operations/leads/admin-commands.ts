import { eq, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import { database } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import type { Env } from "../../platform/env.ts";
import { DomainError } from "../../platform/errors.ts";
import { adminRefusalError, askExchange } from "../../exchange/asking.ts";
import { projectListing } from "../../exchange/projection-commands.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { log } from "../../platform/log.ts";
import { relistIfForgotten } from "../relisting/commands.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { findLead } from "../../leads/queries.ts";
import type { LeadRow } from "../../leads/rules.ts";

/** @throws DomainError lead_not_found */
async function marketLead(env: Env, leadId: string): Promise<LeadRow> {
  const lead = await findLead(database(env.DB), leadId);
  // What a provider brought along was never on the market.
  if (!lead || lead.source === "manual") throw new DomainError("lead_not_found");
  return lead;
}

/** Which admin, and in which request. */
type Departing = { byUserId: string; requestId?: string };

/** Takes a lead off its market, there and in D1; what D1 misses now, the exchange's outbox tells it. */
async function depart(env: Env, known: LeadRow, by: Departing, toRegion: Region | null): Promise<void> {
  const { byUserId, requestId = null } = by;
  const isForgotten = known.listingState === "listed" && (await relistIfForgotten(env, known));
  const lead = isForgotten ? await marketLead(env, known.id) : known;
  const { id: leadId, generation, priceCents, expiresAt, region } = lead;
  const terms = { leadId, generation, priceCents, expiresAt };
  const answer = await askExchange(env, region, (exchange) =>
    exchange.withdraw({ terms, byUserId, toRegion }),
  );
  if (!answer.ok) throw adminRefusalError(answer);
  await projectListing(database(env.DB), answer.listing, null, requestId);
  await exchangeOf(env, region)?.acknowledge(leadId, answer.listing.version);
}

/**
 * Takes a lead off the market for good, whether it was listed yet or not.
 * @param withdrawal the reason is kept with the lead, not in the log: it may speak of people. Of two, the first stays
 * @returns the lead as it is now
 * @throws DomainError lead_held, lead_taken, lead_closed, lead_changed, lead_not_found, exchange_unavailable
 */
export async function withdrawLead(
  env: Env,
  leadId: string,
  withdrawal: Departing & { reason: string },
): Promise<LeadRow> {
  const lead = await marketLead(env, leadId);
  await depart(env, lead, withdrawal, null);
  const [row] = await database(env.DB)
    .update(leads)
    .set({ withdrawnReason: sql`coalesce(${leads.withdrawnReason}, ${withdrawal.reason})` })
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
  move: Departing & { region: Region },
): Promise<LeadRow> {
  const lead = await marketLead(env, leadId);
  if (lead.region === move.region) return lead;
  if (lead.listingState === "quarantined")
    throw new DomainError("lead_changed", "Release this lead first, then move it.");
  await depart(env, lead, move, move.region);
  const moved = await marketLead(env, leadId);
  await putOnMarket(env, moved).catch((error: unknown) => {
    log("warn", "listing_delayed", { leadId, error });
  });
  return marketLead(env, leadId);
}
