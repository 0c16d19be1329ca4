/** Walks through the rows that a job checks, a bounded part at a time. */
import * as z from "zod/mini";

import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { addCounts, type Counts, type PagedStep, stepOf } from "../operator/rules.ts";

/** Rows per page. Stripe lists at most 100, and D1 binds at most 100 values. */
export const PAGE_ROWS = 50;

/** Maximum pages per part. An exchange's page may be empty without being the last page. */
const MAX_PAGES = 50;

/**
 * The context of each leg of a walk. The walk checks rows from `since` to before `until`. `began`: when the job was
 * enqueued. `found`: the counts of earlier parts. All times are epoch ms.
 */
export type Walk = {
  env: Context;
  db: Db;
  since: number;
  until: number;
  began: number;
  now: number;
  found: Counts;
};

const placeSchema = z.object({ createdAt: z.int(), id: z.string() });
/** The last row of a page. Exchanges and Stripe page by ID alone, and their `createdAt` is 0. */
export type RowPlace = z.infer<typeof placeSchema>;

/** A walk's cursor. It stores the name of its leg, so that legs can be added between two parts. */
const cursorSchema = z.object({ leg: z.string(), after: z.nullable(placeSchema) });

export type WalkedPage<Row> = { rows: Row[]; next: RowPlace | null };

/** Reads a page of rows, and returns where the next page starts; null after the last. */
export type ReadPage<Row> = (walk: Walk, after: RowPlace | null) => Promise<WalkedPage<Row>>;

/** Walks one page, and counts its rows as `looked_at`. */
export type Leg = (walk: Walk, after: RowPlace | null) => Promise<{ counts: Counts; next: RowPlace | null }>;

/** Builds one leg of a walk. @param visit processes one page of rows; must be safe to repeat */
export function buildLeg<Row>(
  readPage: ReadPage<Row>,
  visit: (walk: Walk, rows: Row[]) => Promise<Counts>,
): Leg {
  return async (walk, after) => {
    const { rows, next } = await readPage(walk, after);
    return { counts: { looked_at: rows.length, ...(await visit(walk, rows)) }, next };
  };
}

/**
 * Walks one part: about a page of rows. A leg without rows does not use up a part.
 * @param legs by name, in order
 * @throws an exchange's, Stripe's or D1's error; the caller may retry the same part. Error if the job's leg is unknown
 */
export async function walkPart(
  context: Context,
  legs: Readonly<Record<string, Leg>>,
  job: { createdAt: number; progress: unknown; result: unknown },
  now: number,
  { since, until }: { since: number; until: number },
): Promise<PagedStep> {
  const before = job.result as Counts | null;
  const names = Object.keys(legs);
  let cursor = job.progress === null ? { leg: names[0]!, after: null } : cursorSchema.parse(job.progress);
  let counts: Counts = {};
  for (let pages = 1; ; pages += 1) {
    const walkLeg = legs[cursor.leg];
    if (!walkLeg) throw new Error(`The walk has no leg ${cursor.leg}`);
    const found = addCounts(before, counts);
    const walk: Walk = { env: context, db: context.db, since, until, began: job.createdAt, now, found };
    const page = await walkLeg(walk, cursor.after);
    counts = addCounts(counts, page.counts);
    const leg = page.next ? cursor.leg : names[names.indexOf(cursor.leg) + 1];
    const progress = leg === undefined ? null : { leg, after: page.next };
    if (!progress || (counts["looked_at"] ?? 0) >= PAGE_ROWS || pages === MAX_PAGES)
      return stepOf({ counts, progress });
    cursor = progress;
  }
}
