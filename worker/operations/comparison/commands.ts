/**
 * Compares D1 with the exchanges after a restore and changes neither. It compares, field by field, each exchange's
 * decisions since a given time. It also compares the leads D1 offers and the purchases D1 records.
 */
import * as z from "zod/mini";

import { REGION_SLUGS, type Region, regionAfter } from "../../../contract/regions.ts";
import { type Db, database } from "../../platform/db/client.ts";
import type { Env } from "../../platform/env.ts";
import type { ListingState } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { inTime } from "../../platform/patience.ts";
import { leadsAndPurchases, pageOffered } from "../reconciliation/queries.ts";
import { pageTraded, settledLosses } from "./queries.ts";
import { isForSale, recordDifferences } from "./rules.ts";

/** Rows per page. D1 binds at most 100 values. */
const PAGE = 45;

/** Maximum differences listed by name. More than this usually share one cause. */
const MOST_NAMED = 20;

const offerPlace = z.nullable(z.object({ createdAt: z.int(), id: z.string() }));
const tradePlace = z.nullable(z.object({ at: z.int(), id: z.string() }));
const region = z.enum(REGION_SLUGS);

const placeSchema = z.discriminatedUnion("step", [
  z.object({ step: z.literal("records"), region, after: z.nullable(z.string()) }),
  z.object({ step: z.literal("offers"), region, after: offerPlace }),
  z.object({ step: z.literal("purchases"), after: tradePlace }),
]);
const progressSchema = z.object({ place: placeSchema, named: z.int() });
type Place = z.infer<typeof placeSchema>;

/** The result of a page: counts of rows compared, and differences as text that names the lead. */
type Page = { counts: Record<string, number>; differences: string[]; next: Place | null };

type Run = { env: Env; db: Db; since: number; now: number };

async function compareRecords(run: Run, at: Place & { step: "records" }): Promise<Page> {
  const { env, db, since } = run;
  const query = { since, after: at.after, limit: PAGE };
  const { records, next } = await inTime(exchangeOf(env, at.region)!.pageRecords(query));
  const leadIds = records.map(({ leadId }) => leadId);
  const purchaseIds = records.flatMap(({ sale }) => (sale ? [sale.purchaseId] : []));
  const known = await leadsAndPurchases(db, leadIds, purchaseIds);
  const settled = await settledLosses(db, leadIds);
  const following = next === null ? regionAfter(at.region) : at.region;
  return {
    counts: {
      records: records.length,
      sold: records.filter(({ sale }) => sale !== null && sale.soldAt >= since).length,
    },
    differences: records.flatMap((record) => {
      const purchase = record.sale ? known.purchases.get(record.sale.purchaseId) : undefined;
      const fields = recordDifferences(at.region, record, known.leads.get(record.leadId), purchase);
      const isSettled = record.sale !== null && settled.has(record.leadId);
      return fields.length === 0 || isSettled ? [] : [`${record.leadId}: ${fields.join(", ")}`];
    }),
    next: following
      ? { step: "records", region: following, after: next }
      : { step: "offers", region: REGION_SLUGS[0]!, after: null },
  };
}

/** Returns each lead's state at its exchange. Leads the exchange does not know are left out. */
async function statesAt(env: Env, place: Region, ids: string[]): Promise<Map<string, ListingState>> {
  const states = ids.length > 0 ? await inTime(exchangeOf(env, place)!.statesOf(ids)) : [];
  return new Map(states.map(({ leadId, state }) => [leadId, state]));
}

async function compareOffers({ env, db, now }: Run, at: Place & { step: "offers" }): Promise<Page> {
  const page = await pageOffered(db, at.region, { after: at.after, until: now, limit: PAGE });
  const ids = page.map(({ id }) => id);
  const stateOf = await statesAt(env, at.region, ids);
  const last = page.length === PAGE ? page.at(-1)! : null;
  const following = last ? at.region : regionAfter(at.region);
  return {
    counts: { offered: page.length },
    differences: ids.flatMap((id) => {
      const state = stateOf.get(id);
      return isForSale(state) ? [] : [`${id}: offered in D1, ${state ?? "unknown"} at its exchange`];
    }),
    next: following
      ? { step: "offers", region: following, after: last && { createdAt: last.createdAt, id: last.id } }
      : { step: "purchases", after: null },
  };
}

async function comparePurchases({ env, db, since }: Run, at: Place & { step: "purchases" }): Promise<Page> {
  const page = await pageTraded(db, { since, after: at.after, limit: PAGE });
  const regions = [...new Set(page.map((row) => row.region))];
  const states = await Promise.all(
    regions.map((place) =>
      statesAt(
        env,
        place,
        page.filter((row) => row.region === place).map(({ leadId }) => leadId),
      ),
    ),
  );
  const stateOf = new Map(states.flatMap((answers) => [...answers]));
  const last = page.length === PAGE ? page.at(-1)! : null;
  return {
    counts: { purchases: page.length },
    differences: page.flatMap(({ leadId }) => {
      const state = stateOf.get(leadId);
      return isForSale(state) ? [`${leadId}: bought in D1, ${state} at its exchange`] : [];
    }),
    next: last && { step: "purchases", after: { at: last.at, id: last.id } },
  };
}

function comparePlace(run: Run, place: Place): Promise<Page> {
  if (place.step === "records") return compareRecords(run, place);
  return place.step === "offers" ? compareOffers(run, place) : comparePurchases(run, place);
}

/**
 * Compares one page. Changes nothing.
 * @param since compares decisions made since then (epoch ms); the leads on offer are all compared
 * @param progress the previous page's progress; null for the first page
 * @returns the next progress (null when all is compared) and counts: `differences`, and the first of them by name
 * @throws an exchange's or D1's error; the caller may retry the same page
 */
export async function comparePage(
  env: Env,
  since: number,
  progress: unknown,
  now: number,
): Promise<{ progress: z.infer<typeof progressSchema> | null; counts: Record<string, number> }> {
  const first: Place = { step: "records", region: REGION_SLUGS[0]!, after: null };
  const { place, named } = progress === null ? { place: first, named: 0 } : progressSchema.parse(progress);
  const run = { env, db: database(env.DB), since, now };
  const { counts, differences, next } = await comparePlace(run, place);
  const shown = differences.slice(0, Math.max(0, MOST_NAMED - named));
  return {
    progress: next && { place: next, named: named + shown.length },
    counts: {
      ...counts,
      differences: differences.length,
      ...Object.fromEntries(shown.map((text) => [text, 1])),
    },
  };
}
