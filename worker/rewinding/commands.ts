/**
 * Takes an exchange's storage back to an earlier moment, through the platform's history, and brings it and D1
 * together again: what D1 knows to be over leaves the market, what the exchange has forgotten comes back, and
 * what it decided is written into D1.
 */
import { and, eq, inArray } from "drizzle-orm";
import * as z from "zod/mini";

import type { OperatorJob } from "../../contract/operator.ts";
import { REGION_SLUGS, type Region } from "../../contract/regions.ts";
import { auditEntry, SYSTEM_ACTOR } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { leads } from "../db/schema.ts";
import type { Env } from "../env.ts";
import type { ListingRecord } from "../exchange/listing.ts";
import { pauseRegion } from "../exchange/pause-commands.ts";
import { listPaused } from "../exchange/queries.ts";
import { reprojectPage } from "../exchange/reproject-commands.ts";
import { exchangeOf } from "../exchange/stub.ts";
import type { LeadRow } from "../leads/rules.ts";
import { log } from "../log.ts";
import type { Counts, Step } from "../operator/rules.ts";
import { inTime } from "../patience.ts";
import { relistPage } from "../relisting/commands.ts";
import { fateOf } from "./rules.ts";

type Input = Extract<OperatorJob, { kind: "rewind_exchange" }>["input"];
type Job = { id: string; createdAt: number; progress: unknown };

/** Records looked at in one part; D1 binds at most 100 values. */
const PAGE = 50;

/** An instance that was told to end is asked so often whether it is gone. */
const RESTARTS = 5;

const progressSchema = z.discriminatedUnion("step", [
  z.object({ step: z.literal("rewind"), bookmark: z.string() }),
  z.object({ step: z.literal("restart"), instance: z.string() }),
  z.object({ step: z.literal("follow"), after: z.nullable(z.string()) }),
  z.object({ step: z.literal("relist"), at: z.nullable(z.unknown()) }),
  z.object({ step: z.literal("reproject"), at: z.nullable(z.unknown()) }),
]);
type Progress = z.infer<typeof progressSchema>;

const goOn = (progress: Progress, counts: Counts = {}, pause = false): Step => ({
  state: "waiting",
  counts,
  progress,
  pause,
});

const reasonOf = (job: Job) => `Its exchange is taken back to an earlier moment (${job.id})`;

/** Names the state to go back to, before anything is changed, and takes the region off the market. */
async function prepare(env: Env, { region, to }: Input, job: Job, now: number): Promise<Step> {
  const exchange = exchangeOf(env, region)!;
  // Asked for a bookmark as well: where no history is kept nothing is to be touched.
  const known = await inTime(exchange.bookmarkAt(typeof to === "number" ? to : now));
  if (known === null) return { state: "failed", counts: { no_history_here: 1 } };
  const isPaused = await pauseRegion(env, region, {
    reason: reasonOf(job),
    by: null,
    now,
    askedAt: job.createdAt,
  });
  if (!isPaused) return { state: "failed", counts: { resumed_meanwhile: 1 } };
  return goOn({ step: "rewind", bookmark: typeof to === "number" ? known : to });
}

/** Has the storage taken back once nobody is paying any more, and writes down how to undo it first. */
async function rewind(env: Env, { region, to }: Input, bookmark: string, now: number): Promise<Step> {
  const exchange = exchangeOf(env, region)!;
  const holds = await inTime(exchange.countHolds());
  if (holds > 0) return goOn({ step: "rewind", bookmark }, { minutes_waited_for_payers: 1 }, true);
  const { undo, instance } = await inTime(exchange.rewind(bookmark));
  const db = database(env.DB);
  await auditEntry(db, SYSTEM_ACTOR, {
    at: now,
    action: "region.rewind",
    subjectType: "region",
    subjectId: region,
    after: { to, bookmark, undo },
  });
  log("warn", "exchange_rewound", { region, bookmark, undo });
  return goOn({ step: "restart", instance }, { rewound: 1 });
}

/** Ends the instance that has the old storage in its hands. @throws Error when it does not go */
async function restart(env: Env, region: Region, instance: string): Promise<void> {
  for (let tries = 0; tries < RESTARTS; tries++) {
    try {
      // Another stub each time: one whose object was ended is of no use any more.
      return await inTime(exchangeOf(env, region)!.restart(instance));
    } catch (error) {
      log("info", "exchange_restarting", { region, error });
    }
  }
  throw new Error(`The exchange of ${region} did not restart`);
}

async function beginAnew(env: Env, region: Region, instance: string, job: Job): Promise<Step> {
  await restart(env, region, instance);
  const paused = (await listPaused(database(env.DB))).find((row) => row.region === region);
  const word = { reason: paused?.reason ?? reasonOf(job), at: paused?.since ?? job.createdAt };
  await inTime(exchangeOf(env, region)!.beginAnew(word));
  return goOn({ step: "follow", after: null });
}

/** Makes a lead wait to be listed again as D1 has it. */
async function makePending(db: Db, { id, generation }: LeadRow): Promise<void> {
  await db
    .update(leads)
    .set({ listingState: "pending", exchangeVersion: 0 })
    .where(and(eq(leads.id, id), eq(leads.generation, generation), eq(leads.listingState, "listed")));
}

/** Brings one record to what D1 knows of its lead. @returns what was done, by name */
async function follow(env: Env, region: Region, record: ListingRecord, lead: LeadRow): Promise<string> {
  const exchange = exchangeOf(env, region)!;
  const { leadId, generation, priceCents, expiresAt } = record;
  const terms = { leadId, generation, priceCents, expiresAt };
  const fate = fateOf(region, record, lead);
  if (fate === "keep") return "left_as_they_are";
  // Whoever held it then holds it again: their payment is over, and the sale with it.
  await exchange.free(leadId);
  if (fate === "forget") {
    await exchange.erase(terms);
    await exchange.forget(leadId);
    return "erased_again";
  }
  // Whoever asks for it by its id comes here first, and has to hear where it went.
  const toRegion = lead.region === region ? null : lead.region;
  await exchange.withdraw({ terms, byUserId: null, toRegion });
  if (fate === "close") return "taken_off_again";
  await makePending(database(env.DB), lead);
  return "put_on_again";
}

async function followPage(env: Env, region: Region, after: string | null): Promise<Step> {
  const query = { since: 0, after, limit: PAGE };
  const { records, next } = await inTime(exchangeOf(env, region)!.pageRecords(query));
  const ids = records.map(({ leadId }) => leadId);
  const rows = await database(env.DB).select().from(leads).where(inArray(leads.id, ids));
  const byId = new Map(rows.map((lead) => [lead.id, lead]));
  const counts: Counts = { looked_at: records.length };
  for (const record of records) {
    const lead = byId.get(record.leadId);
    if (!lead) continue;
    const done = await follow(env, region, record, lead);
    counts[done] = (counts[done] ?? 0) + 1;
  }
  return goOn(next === null ? { step: "relist", at: null } : { step: "follow", after: next }, counts);
}

async function relist(env: Env, region: Region, at: unknown, now: number): Promise<Step> {
  const { progress, counts } = await relistPage(env, region, at, now);
  return goOn(progress ? { step: "relist", at: progress } : { step: "reproject", at: null }, counts);
}

/** Only this region's records: the others have forgotten nothing. */
async function reproject(env: Env, region: Region, at: unknown, now: number): Promise<Step> {
  const index = REGION_SLUGS.indexOf(region);
  const { progress, counts } = await reprojectPage(env, 0, at ?? { region: index, after: null }, now);
  return progress?.region === index
    ? goOn({ step: "reproject", at: progress }, counts)
    : { state: "done", counts };
}

/**
 * Does a part of taking an exchange back; each may be repeated. The region is off the market from the first
 * part on, and stays so: an operator compares and opens it.
 * @throws an exchange's or D1's error: the same part is tried again
 */
export async function rewindPart(env: Env, input: Input, job: Job, now: number): Promise<Step> {
  if (job.progress === null) return prepare(env, input, job, now);
  const progress = progressSchema.parse(job.progress);
  const { region } = input;
  switch (progress.step) {
    case "rewind":
      return rewind(env, input, progress.bookmark, now);
    case "restart":
      return beginAnew(env, region, progress.instance, job);
    case "follow":
      return followPage(env, region, progress.after);
    case "relist":
      return relist(env, region, progress.at, now);
    case "reproject":
      return reproject(env, region, progress.at, now);
  }
}
