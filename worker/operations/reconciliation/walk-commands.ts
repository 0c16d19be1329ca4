/** Walks through the rows that a job checks, region by region, a bounded part at a time. */
import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { addCounts, type Counts, type PagedStep, stepOf } from "../operator/rules.ts";
import { advanceCursor, readCursor, type RowPlace } from "./walk-rules.ts";

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

export type WalkedPage<Row> = { rows: Row[]; next: RowPlace | null };

/** A source of rows to visit. `isRegional`: whether each region has its own rows. */
export type Source<Row> = {
  isRegional: boolean;
  readPage: (walk: Walk, after: RowPlace | null, region: Region) => Promise<WalkedPage<Row>>;
};

export type Leg = {
  isRegional: boolean;
  walkPage: (
    walk: Walk,
    after: RowPlace | null,
    region: Region,
  ) => Promise<{ looked: number; counts: Counts; next: RowPlace | null }>;
};

/** Builds one leg of a walk from a source of rows. @param visit processes one page of rows; must be safe to repeat */
export function buildLeg<Row>(
  { isRegional, readPage }: Source<Row>,
  visit: (walk: Walk, rows: Row[], region: Region) => Promise<Counts>,
): Leg {
  return {
    isRegional,
    async walkPage(walk, after, region) {
      const { rows, next } = await readPage(walk, after, region);
      return { looked: rows.length, counts: await visit(walk, rows, region), next };
    },
  };
}

/** The parts of a job that a walk uses. */
type WalkedJob = { createdAt: number; progress: unknown; result: unknown };

/** `since` and `until` are epoch ms. `only`: the only region to visit. */
type Bounds = { since: number; until: number; only: Region | null };

/**
 * Walks one part: about a page of rows. A region without rows does not use up a part.
 * @throws an exchange's, Stripe's or D1's error; the caller may retry the same part
 */
export async function walkPart(
  context: Context,
  legs: Readonly<Record<string, Leg>>,
  job: WalkedJob,
  now: number,
  { since, until, only }: Bounds,
): Promise<PagedStep> {
  const before = job.result as Counts | null;
  let cursor = readCursor(legs, job.progress, only);
  let counts: Counts = {};
  let scannedRows = 0;
  for (let pages = 1; ; pages += 1) {
    const found = addCounts(before, counts);
    const walk: Walk = { env: context, db: context.db, since, until, began: job.createdAt, now, found };
    const page = await legs[cursor.leg]!.walkPage(walk, cursor.after, cursor.region);
    counts = addCounts(counts, page.counts);
    scannedRows += page.looked;
    const progress = advanceCursor(legs, cursor, page.next, only);
    if (!progress || scannedRows >= PAGE_ROWS || pages === MAX_PAGES) return stepOf({ counts, progress });
    cursor = progress;
  }
}
