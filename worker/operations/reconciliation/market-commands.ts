/** The market's half of a reconciliation: compares the exchanges with D1, lead by lead, and repairs the differences. */
import { and, eq, gt, inArray, isNull, ne, notExists, or, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import { putOnMarket } from "../../customer/rescue/store.ts";
import { isOpen, type ListingRecord, type Sale } from "../../exchange/listing.ts";
import { projectListing } from "../../leads/projection-commands.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { findLead } from "../../leads/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets } from "../../identity/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { payments } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { sessions } from "../../platform/db/users.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { eraseLead } from "../erasure/commands.ts";
import type { Counts } from "../operator/rules.ts";
import type { Walk } from "./walk-commands.ts";
import { findUnknownLeads, type RecordWithFacts, withFacts } from "./queries.ts";
import {
  compareRecord,
  compareUnknown,
  expectedState,
  hasLostDecision,
  type KnownLead,
} from "./market-rules.ts";
import type { Found } from "./report-commands.ts";
import type { Difference, RepairOutcome } from "./rules.ts";

/** Restores the row of a card payment that D1 has lost. Stripe's half of the run adds later refunds. */
async function restorePayment(db: Db, region: Region, leadId: string, sale: Sale): Promise<void> {
  const { holdId, paymentIntentId, businessId, userId, amountCents, soldAt } = sale;
  if (!holdId || !paymentIntentId) return;
  await db
    .insert(payments)
    .values({
      id: newId("pay"),
      holdId,
      leadId,
      region,
      buyerId: businessId,
      userId,
      stripePaymentIntentId: paymentIntentId,
      state: "succeeded",
      amountCents,
      succeededAt: soldAt,
      createdAt: soldAt,
      updatedAt: soldAt,
    })
    // The row of the hold may lack the payment's ID.
    .onConflictDoUpdate({
      target: payments.holdId,
      set: { stripePaymentIntentId: paymentIntentId },
      setWhere: isNull(payments.stripePaymentIntentId),
    });
}

/** Corrects a purchase in D1 that differs from the exchange's sale. Leaves an equal one alone. */
async function correctPurchase(db: Db, leadId: string, sale: Sale, now: number): Promise<void> {
  const facts = {
    buyerId: sale.businessId,
    boughtByUserId: sale.userId,
    mode: sale.mode,
    amountPaidCents: sale.amountCents,
    purchasedAt: sale.soldAt,
    paymentIntentId: sale.paymentIntentId ?? null,
  };
  const isDifferent = Object.entries(facts).map(
    ([name, value]) => sql`${leadPurchases[name as keyof typeof facts]} IS NOT ${value}`,
  );
  await db
    .update(leadPurchases)
    .set({ ...facts, updatedAt: nextUpdatedAt(now) })
    .where(and(eq(leadPurchases.id, sale.purchaseId), eq(leadPurchases.leadId, leadId), or(...isDifferent)));
}

/**
 * Gives D1's lead the state of the exchange's record. Compare-and-set: skips the lead if the exchange has written a
 * later decision since we read it.
 */
async function followRecord(db: Db, region: Region, record: ListingRecord, seen: KnownLead): Promise<void> {
  const { leadId, generation, version, priceCents, expiresAt, departure, sale } = record;
  // A moved lead belongs to its next region.
  if (departure?.toRegion) return;
  const bought = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  await db
    .update(leads)
    .set({ region, generation, priceCents, expiresAt, exchangeVersion: version, ...expectedState(record) })
    .where(
      and(
        eq(leads.id, leadId),
        inArray(leads.exchangeVersion, [seen.exchangeVersion, version]),
        sale ? undefined : notExists(bought),
      ),
    );
}

/** Writes an exchange's record to D1: first as its outbox would, with the messages, then field by field. */
async function writeRecord(
  db: Db,
  region: Region,
  record: ListingRecord,
  seen: KnownLead,
  now: number,
): Promise<RepairOutcome> {
  const { leadId, sale } = record;
  if ((await projectListing(db, record, null)) === "conflict") return "left";
  if (sale) {
    await restorePayment(db, region, leadId, sale);
    await correctPurchase(db, leadId, sale, now);
  }
  await followRecord(db, region, record, seen);
  return "fixed";
}

/** Marks bought leads as sold, so that D1 neither offers them nor shows them as withdrawn. */
export async function markSold(db: Db, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return;
  await db
    .update(leads)
    .set({ status: "sold", listingState: "closed" })
    .where(and(inArray(leads.id, leadIds), or(ne(leads.status, "sold"), ne(leads.listingState, "closed"))));
}

/** Lists a lead again that its exchange does not know. If that fails, the sweep lists it within a minute. */
async function listAgain(context: Context, { id, exchangeVersion }: KnownLead): Promise<RepairOutcome> {
  const { db } = context;
  const [lead] = await db
    .update(leads)
    .set({ listingState: "pending" })
    .where(
      // Compare-and-set: skips a lead that another call has listed or closed since.
      and(
        eq(leads.id, id),
        eq(leads.exchangeVersion, exchangeVersion),
        sql`${leads.status} = 'available' AND ${leads.listingState} IN ('listed', 'pending')`,
      ),
    )
    .returning();
  if (!lead) return "skipped";
  await putOnMarket(context, lead).catch((error: unknown) => {
    log("warn", "listing_delayed", { leadId: id, error });
  });
  return "fixed";
}

/** Repairs a difference between an exchange's record and D1. @throws an exchange's or D1's error; safe to repeat */
async function repairRecord(
  context: Context,
  region: Region,
  { record, facts: { lead } }: RecordWithFacts,
  { repair }: Difference,
  now: number,
): Promise<RepairOutcome> {
  const { db } = context;
  const { leadId, generation, priceCents, expiresAt } = record;
  const terms = { leadId, generation, priceCents, expiresAt };
  const exchange = exchangeOf(context, region)!;
  switch (repair) {
    case "withdraw": {
      // Commands reach this exchange first, so it must know the lead's later region.
      const toRegion = lead && lead.region !== region ? lead.region : null;
      const answer = await exchange.decide({ type: "withdraw", ...terms, byUserId: null, toRegion });
      return answer.ok ? "fixed" : "skipped";
    }
    case "erase_at_exchange": {
      const { erased } = await exchange.erase(terms);
      if (!erased && !isOpen(record.state)) await exchange.forget(leadId);
      return erased || !isOpen(record.state) ? "fixed" : "skipped";
    }
    case "erase_in_d1": {
      await writeRecord(db, region, record, lead!, now);
      const row = await findLead(db, leadId);
      const isErased = row && (await eraseLead(context, row, { reason: "request", jobId: null }, now));
      return isErased ? "fixed" : "skipped";
    }
    case "mark_sold":
      await markSold(db, [leadId]);
      return "fixed";
    case "list":
      return listAgain(context, lead!);
    case "write":
      return writeRecord(db, region, record, lead!, now);
    default:
      return "left";
  }
}

/** Repairs what D1 says about a lead that its exchange does not know. */
async function repairUnknown(
  context: Context,
  lead: KnownLead,
  { repair }: Difference,
): Promise<RepairOutcome> {
  if (repair === "list") return listAgain(context, lead);
  if (repair === "mark_sold") await markSold(context.db, [lead.id]);
  else
    await context.db
      .update(leads)
      .set({ listingState: "closed" })
      .where(and(eq(leads.id, lead.id), eq(leads.listingState, "listed")));
  return "fixed";
}

/**
 * Ends what a restore of D1 has brought back: sessions that had ended, and links that had been used or replaced. Users
 * sign in again.
 */
async function endRevivedAccess(db: Db, now: number): Promise<Counts> {
  const [ended] = await db.batch([
    db.delete(sessions).returning({ id: sessions.id }),
    db
      .update(oneTimeSecrets)
      .set({ expiresAt: now })
      .where(
        and(
          gt(oneTimeSecrets.expiresAt, now),
          inArray(oneTimeSecrets.purpose, ["password", "email", "request_list"]),
        ),
      ),
  ]);
  log("error", "d1_restored", { sessions: ended.length });
  return { sessions_ended: ended.length };
}

/**
 * Signs everyone out if D1 was restored to an earlier time, once in a run. D1 has then lost a decision that it had
 * confirmed.
 */
export async function signOutAfterRestore(walk: Walk, isFix: boolean, hasLost: boolean): Promise<Counts> {
  if (!hasLost || walk.found["d1_was_restored"]) return {};
  const repair = isFix
    ? "Fixed: signed every user out, and ended the links that a restore revives."
    : "--fix would sign every user out, and end the links that a restore revives.";
  return {
    d1_was_restored: 1,
    [`D1 was restored to an earlier time. ${repair}`]: 1,
    ...(isFix && (await endRevivedAccess(walk.db, walk.now))),
  };
}

type Compared = RecordWithFacts & { difference: Difference };

async function compareAll(
  walk: Walk,
  region: Region,
  records: readonly ListingRecord[],
): Promise<Compared[]> {
  return (await withFacts(walk.db, records)).flatMap((one) => {
    const difference = compareRecord(region, one.record, one.facts, walk.now);
    return difference ? [{ ...one, difference }] : [];
  });
}

/** Compares a page of an exchange's records with D1. @throws an exchange's or D1's error; safe to repeat */
export async function reconcileRecords(
  walk: Walk,
  isFix: boolean,
  records: readonly ListingRecord[],
  region: Region,
): Promise<{ found: Found[]; hasLost: boolean }> {
  const first = await compareAll(walk, region, records);
  if (first.length === 0) return { found: [], hasLost: false };
  // Read both sides again: a decision may have reached D1 between our two reads.
  const ids = first.map(({ record }) => record.leadId);
  const again = await withTimeout(exchangeOf(walk.env, region)!.recordsOf(ids));
  const compared = await compareAll(walk, region, again);
  const hasLost = compared.some(({ record, facts }) => hasLostDecision(record, facts));
  const found: Found[] = [];
  for (const one of compared) {
    const { difference } = one;
    const outcome = !difference.repair
      ? "left"
      : isFix
        ? await repairRecord(walk.env, region, one, difference, walk.now)
        : "planned";
    found.push({ difference, outcome });
  }
  return { found, hasLost };
}

/** Handles the leads of a page that D1 offers and their exchange does not know. @param ids their IDs */
export async function reconcileUnknown(walk: Walk, isFix: boolean, ids: readonly string[]): Promise<Found[]> {
  if (ids.length === 0) return [];
  const found: Found[] = [];
  for (const { lead, facts } of await findUnknownLeads(walk.db, ids)) {
    const difference = compareUnknown(lead, facts);
    const outcome = isFix ? await repairUnknown(walk.env, lead, difference) : "planned";
    found.push({ difference, outcome });
  }
  return found;
}
