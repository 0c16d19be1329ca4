/**
 * Puts leads back on a market after its exchange has lost its records. D1 and each exchange have separate storage, so
 * one can be lost without the other.
 */
import { and, eq, inArray, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../../contract/durations.ts";
import type { OperatorJob } from "../../../contract/operator.ts";
import type { Region } from "../../../contract/regions.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads, operatorJobs } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { callWithRetries } from "../../exchange/exchange-calls.ts";
import { buildLeg } from "../region-walk/commands.ts";
import type { Offer } from "../region-walk/queries.ts";
import { OFFERS } from "../region-walk/sources.ts";
import { hasLostLead, sampleOffers, soldOf } from "./queries.ts";

/** Minimum age of a lead to relist. A newer lead may not have reached its exchange yet. */
export const SETTLED_MS = 5 * MINUTE_MS;

/** Minimum time between two relistings of one region after its exchange lost its storage. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * Sets leads back to pending under a new generation. Records that an exchange still has of the old generation are
 * outdated.
 */
async function makePending(
  db: Db,
  region: Region,
  offers: Pick<Offer, "id" | "generation">[],
): Promise<number> {
  const places = offers.map(({ id, generation }) => ({ id, generation }));
  const written = await db
    .update(leads)
    .set({ listingState: "pending", generation: sql`${leads.generation} + 1`, exchangeVersion: 0 })
    .where(
      and(
        // Compare-and-set: skips leads that another call has since moved or relisted.
        eq(leads.region, region),
        sql`(${leads.id}, ${leads.generation}) IN
          (SELECT value ->> 'id', value ->> 'generation' FROM json_each(${JSON.stringify(places)}))`,
        sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
      ),
    )
    .returning({ id: leads.id });
  return written.length;
}

/** Closes leads in D1 that must not be sold, and reports them to the admins. */
async function closeUnsellable(db: Db, ids: string[], now: number): Promise<void> {
  // First the alerts: a repeated run does not find closed leads.
  for (const id of ids)
    await raiseAttention(
      db,
      "offer_differs",
      id,
      "D1 offered this lead, but someone has bought or paid for it, and the exchange has no record of that. Check its payment first. If no one has the lead, refund it.",
      now,
    );
  await db
    .update(leads)
    .set({ listingState: "closed" })
    .where(and(inArray(leads.id, ids), eq(leads.listingState, "listed")));
}

/**
 * Relists the leads that D1 offers but their exchange does not know. The sweep lists them within a minute. Leads that
 * were bought or paid for are never relisted: an admin must check them.
 */
export const RELISTING = {
  offers: buildLeg(OFFERS, async ({ db, now }, offers, region) => {
    const unknown = offers.filter(({ state }) => state === undefined);
    const ids = unknown.map(({ id }) => id);
    const sold = ids.length > 0 ? await soldOf(db, ids) : new Set<string>();
    const lost = unknown.filter(({ id }) => !sold.has(id));
    const relisted = lost.length > 0 ? await makePending(db, region, lost) : 0;
    if (sold.size > 0) await closeUnsellable(db, [...sold], now);
    return { looked_at: offers.length, relisted, sold_left_alone: sold.size };
  }),
};

/**
 * Sets a lead to pending if its exchange does not know it. The exchange numbers versions of a new record from the
 * start. Resetting D1's version lets D1 accept the exchange's next decisions.
 * @returns whether the exchange had lost the lead
 * @throws DomainError lead_taken if a buyer has bought or paid for the lead, exchange_unavailable; D1's errors
 */
export async function relistIfLost(
  context: Context,
  { id, region, generation }: { id: string; region: Region; generation: number },
): Promise<boolean> {
  const db = context.db;
  const states = await callWithRetries(context, region, (exchange) => exchange.statesOf([id]));
  if (states.length > 0) return false;
  if ((await soldOf(db, [id])).size > 0) throw new DomainError("lead_taken");
  await makePending(db, region, [{ id, generation }]);
  return true;
}

/**
 * Detects exchanges that have lost their storage, by the oldest and the newest lead that D1 offers in each region. Enqueues a
 * relisting of each such region and alerts the admins.
 * @returns how many exchanges have lost their storage, and how many did not respond
 */
export async function sweepLostLeads(
  context: Context,
  now: number,
): Promise<{ forgotten: number; failed: number }> {
  const db = context.db;
  const offered = await sampleOffers(db, now - SETTLED_MS);
  const results = await Promise.allSettled(offered.map((sample) => hasLostLead(context, sample)));
  const counts = { forgotten: 0, failed: 0 };
  for (const [i, result] of results.entries()) {
    if (result.status === "rejected") counts.failed += 1;
    if (result.status === "rejected" || !result.value) continue;
    counts.forgotten += 1;
    const { region } = offered[i]!;
    // First the alert: after the relisting, no sweep would notice the loss again.
    await raiseAttention(
      db,
      "exchange_forgot",
      region,
      "This region's exchange has lost its storage, or part of it. We're putting its leads back on the market from D1. Look in Stripe for sales that D1 is missing.",
      now,
    );
    const job: OperatorJob = { kind: "relist", input: { region } };
    await db
      .insert(operatorJobs)
      .values({
        ...job,
        id: `job_relist_${region}_${Math.floor(now / RETRY_AFTER_MS)}`,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing();
  }
  return counts;
}
