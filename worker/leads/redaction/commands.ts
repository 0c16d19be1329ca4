import { and, asc, eq, isNull, lt, notInArray, or, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import type { RedactedTexts } from "../../exchange/records.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { type LeadRow, marketsOf } from "../rules.ts";
import { type Redacted, redactLead } from "../views.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";

/** Leads per batch. Each costs a few milliseconds at most. */
const BATCH = 50;
/** Maximum batches per sweep or per page of a job. */
const MAX_BATCHES = 5;

/** Must match the partial index's expression. Rivals cannot see sold leads. */
const mayShow = sql`${leads.status} = 'available'`;

type RedactedLead = { lead: LeadRow; redacted: Redacted };

/**
 * Lists leads that rivals can read and that were redacted before the given time, oldest first. Omits leads that are not
 * listed yet.
 */
function listToRedact(db: Db, before: number, without: readonly Region[]): Promise<LeadRow[]> {
  // The sweep runs every minute, so it reads only the leads without a stamp.
  const isNew = isNull(leads.redactedAt);
  const isOld = before > 0 ? or(isNew, lt(leads.redactedAt, before)) : isNew;
  return db
    .select()
    .from(leads)
    .where(
      and(
        mayShow,
        isOld,
        isNull(leads.erasedAt),
        sql`${leads.listingState} <> 'pending'`,
        without.length > 0 ? notInArray(leads.region, [...without]) : undefined,
      ),
    )
    .orderBy(asc(leads.redactedAt))
    .limit(BATCH);
}

/**
 * Sends the redacted texts to every exchange that may show them. @returns the leads for which all exchanges confirmed
 */
async function updateMarkets(
  context: Context,
  redactedLeads: readonly RedactedLead[],
): Promise<RedactedLead[]> {
  const byRegion = new Map<Region, RedactedTexts[]>();
  for (const { lead, redacted } of redactedLeads) {
    const { redactedName, redactedRequests, redactedLocation } = redacted;
    const text = {
      leadId: lead.id,
      customerName: redactedName!,
      specificRequests: redactedRequests,
      preferredLocation: redactedLocation,
    };
    for (const region of marketsOf(lead)) byRegion.set(region, [...(byRegion.get(region) ?? []), text]);
  }
  const regions = [...byRegion.keys()];
  const results = await Promise.allSettled(
    regions.map((region) => withTimeout(exchangeOf(context, region)!.retell(byRegion.get(region)!))),
  );
  const failedRegions = new Set<Region>();
  for (const [i, result] of results.entries()) {
    if (result.status === "fulfilled") continue;
    failedRegions.add(regions[i]!);
    log("warn", "retell_failed", { region: regions[i], error: result.reason });
  }
  return redactedLeads.filter(({ lead }) => !marketsOf(lead).some((region) => failedRegions.has(region)));
}

/** Stores the redacted texts, unless the lead has changed since. A changed lead is redacted again later. */
async function writeRedacted(db: Db, redactedLeads: readonly RedactedLead[], stamp: number): Promise<void> {
  const statements = redactedLeads.map(({ lead, redacted }) =>
    db
      .update(leads)
      .set({ ...redacted, redactedAt: stamp })
      .where(
        and(
          eq(leads.id, lead.id),
          eq(leads.generation, lead.generation),
          eq(leads.listingState, lead.listingState),
          // The customer may have changed the text since we read it.
          sql`${leads.redactedAt} IS ${lead.redactedAt}`,
          isNull(leads.erasedAt),
        ),
      ),
  );
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

const isChanged = ({ lead, redacted }: RedactedLead) =>
  lead.redactedName !== redacted.redactedName ||
  lead.redactedRequests !== redacted.redactedRequests ||
  lead.redactedLocation !== redacted.redactedLocation;

/**
 * Redacts leads last redacted before a given time, up to a limit of batches. Safe to repeat. If a region's exchange
 * does not respond, that region's leads wait for the next run. Other regions continue.
 * @param before epoch ms; 0 selects only leads never redacted
 * @param stamp the redaction time to store
 * @returns counts of redacted, changed and failed leads, and whether there are more
 * @throws D1's errors
 */
async function redactBatch(context: Context, before: number, stamp: number) {
  const db = context.db;
  const sum = { redacted: 0, changed: 0, failed: 0 };
  const unreachableRegions = new Set<Region>();
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const rows = await listToRedact(db, before, [...unreachableRegions]);
    const redactedLeads = rows.map((lead) => ({ lead, redacted: redactLead(lead) }));
    // Update the exchange first: a stamp in D1 means that all readers get the new texts.
    const relisted = await updateMarkets(context, redactedLeads);
    await writeRedacted(db, relisted, stamp);
    sum.redacted += relisted.length;
    sum.changed += relisted.filter(isChanged).length;
    sum.failed += redactedLeads.length - relisted.length;
    for (const { lead } of redactedLeads.filter((one) => !relisted.includes(one)))
      unreachableRegions.add(lead.region);
    if (rows.length < BATCH) return { ...sum, isMore: sum.failed > 0 };
  }
  return { ...sum, isMore: true };
}

/**
 * Redacts one page of leads again after a rule change.
 * @param since when the job began (epoch ms)
 * @returns counts, whether there are more leads, and whether some must wait for an exchange
 * @throws Error when the exchanges of all remaining leads do not respond
 */
export async function redactPage(context: Context, since: number) {
  // Pending leads are redacted when they are listed. The sweep finds a listing in progress.
  await context.db
    .update(leads)
    .set({ redactedName: null, redactedRequests: null, redactedLocation: null, redactedAt: null })
    .where(and(mayShow, sql`${leads.listingState} = 'pending'`, lt(leads.redactedAt, since)));
  const { failed, isMore, ...counts } = await redactBatch(context, since, since);
  if (failed > 0 && counts.redacted === 0) throw new Error("No exchange took the redacted texts");
  return { counts, isMore, isWaiting: failed > 0 };
}

/** Redacts leads stored without redaction, by the previous release or during a rule change. */
export async function sweepRedaction(
  context: Context,
  now: number,
): Promise<{ redacted: number; failed: number }> {
  const { redacted, failed } = await redactBatch(context, 0, now);
  return { redacted, failed };
}
