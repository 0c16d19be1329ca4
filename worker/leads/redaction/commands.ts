import { and, asc, eq, isNull, lt, notInArray, or, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import { type Db, database } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import type { RedactedTexts } from "../../exchange/records.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Env } from "../../platform/env.ts";
import { type LeadRow, marketsOf } from "../rules.ts";
import { type Redacted, redactLead } from "../views.ts";
import { log } from "../../platform/log.ts";
import { inTime } from "../../platform/patience.ts";

/** Leads looked at together; one of them costs a few milliseconds at most. */
const BATCH = 50;
/** Batches of one sweep, or of one part of a job. */
const MOST_BATCHES = 5;

/** Written so that SQLite recognises the partial index: nothing of a sold lead shows to rivals. */
const mayShow = sql`${leads.status} = 'available'`;

type Done = { lead: LeadRow; redacted: Redacted };

/** What rivals may still read and was redacted before then, longest ago first; what waits for its market is not said yet. */
function listToRedact(db: Db, before: number, without: readonly Region[]): Promise<LeadRow[]> {
  // The sweep, which asks every minute, only looks where there is something to find.
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

/** Tells every market that may have spoken of these leads. @returns those whose markets have all heard */
async function tellMarkets(env: Env, done: readonly Done[]): Promise<Done[]> {
  const byRegion = new Map<Region, RedactedTexts[]>();
  for (const { lead, redacted } of done) {
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
  const answers = await Promise.allSettled(
    regions.map((region) => inTime(exchangeOf(env, region)!.retell(byRegion.get(region)!))),
  );
  const deaf = new Set<Region>();
  for (const [i, answer] of answers.entries()) {
    if (answer.status === "fulfilled") continue;
    deaf.add(regions[i]!);
    log("warn", "retell_failed", { region: regions[i], error: answer.reason });
  }
  return done.filter(({ lead }) => !marketsOf(lead).some((region) => deaf.has(region)));
}

/** Writes what was worked out, unless the lead has moved on meanwhile: then its turn comes again. */
async function writeRedacted(db: Db, done: readonly Done[], stamp: number): Promise<void> {
  const statements = done.map(({ lead, redacted }) =>
    db
      .update(leads)
      .set({ ...redacted, redactedAt: stamp })
      .where(
        and(
          eq(leads.id, lead.id),
          eq(leads.generation, lead.generation),
          eq(leads.listingState, lead.listingState),
          isNull(leads.erasedAt),
        ),
      ),
  );
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

const isNews = ({ lead, redacted }: Done) =>
  lead.redactedName !== redacted.redactedName ||
  lead.redactedRequests !== redacted.redactedRequests ||
  lead.redactedLocation !== redacted.redactedLocation;

/**
 * Redacts what was redacted before a moment, a bounded number of batches. Safe to repeat. Leads of a region whose
 * exchange does not answer are left for the next time, and keep no others waiting.
 * @param before epoch ms; 0 takes only what was never redacted
 * @param stamp when it counts as redacted
 * @returns how many were redacted, how many of those read differently now, how many were left, whether there is more
 * @throws D1's errors
 */
async function redactSome(env: Env, before: number, stamp: number) {
  const db = database(env.DB);
  const sum = { redacted: 0, changed: 0, failed: 0 };
  const away = new Set<Region>();
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const rows = await listToRedact(db, before, [...away]);
    const done = rows.map((lead) => ({ lead, redacted: redactLead(lead) }));
    // The exchange comes first: a stamp in D1 says that everybody was told.
    const relisted = await tellMarkets(env, done);
    await writeRedacted(db, relisted, stamp);
    sum.redacted += relisted.length;
    sum.changed += relisted.filter(isNews).length;
    sum.failed += done.length - relisted.length;
    for (const { lead } of done.filter((one) => !relisted.includes(one))) away.add(lead.region);
    if (rows.length < BATCH) return { ...sum, isMore: sum.failed > 0 };
  }
  return { ...sum, isMore: true };
}

/**
 * A part of redacting everything again, after a rule has changed.
 * @param since when the job began (epoch ms)
 * @returns counts, whether there is more to do, and whether some of it has to wait for an exchange
 * @throws Error when all that is left belongs to exchanges that do not answer
 */
export async function redactPage(env: Env, since: number) {
  // What waits for its market is redacted when it is listed; a listing under way is found by the sweep.
  await database(env.DB)
    .update(leads)
    .set({ redactedName: null, redactedRequests: null, redactedLocation: null, redactedAt: null })
    .where(and(mayShow, sql`${leads.listingState} = 'pending'`, lt(leads.redactedAt, since)));
  const { failed, isMore, ...counts } = await redactSome(env, since, since);
  if (failed > 0 && counts.redacted === 0) throw new Error("No exchange took the redacted texts");
  return { counts, isMore, isWaiting: failed > 0 };
}

/** Redacts what was stored without: by the release before this one, or while its rules changed. */
export async function sweepRedaction(env: Env, now: number): Promise<{ redacted: number; failed: number }> {
  const { redacted, failed } = await redactSome(env, 0, now);
  return { redacted, failed };
}
