/**
 * Compares D1 with the exchanges after a restore, without changing either. Compares the exchanges' decisions since a
 * given time, field by field. Also compares the leads that D1 offers and the purchases that D1 records.
 */
import type { Region } from "../../../contract/regions.ts";
import type { ListingState } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { Counts } from "../operator/rules.ts";
import { buildLeg, type Walk } from "../region-walk/commands.ts";
import { findKnown } from "../region-walk/queries.ts";
import { OFFERS, PURCHASES, RECORDS } from "../region-walk/sources.ts";
import { isStateForSale, compareRecord } from "./rules.ts";

/** Maximum differences listed individually. If there are more, they usually share one cause. */
const MAX_NAMED = 20;

/**
 * Counts differences, and lists the first ones in the walk.
 *
 * @param texts one text per difference, with its lead
 */
function countDifferences({ found }: Walk, texts: string[]): Counts {
  const shown = texts.slice(0, Math.max(0, MAX_NAMED - (found["differences"] ?? 0)));
  return { differences: texts.length, ...Object.fromEntries(shown.map((text) => [text, 1])) };
}

/** Returns each lead's state at its exchange. Omits leads that the exchange does not know. */
async function statesAt(context: Context, region: Region, ids: string[]): Promise<[string, ListingState][]> {
  const states = await withTimeout(exchangeOf(context, region)!.statesOf(ids));
  return states.map(({ leadId, state }) => [leadId, state]);
}

export const COMPARISON = {
  records: buildLeg(RECORDS, async (walk, records, region) => {
    const known = await findKnown(walk.db, records);
    const texts = records.flatMap((record) => {
      if (record.sale && known.losses.has(record.leadId)) return [];
      const purchase = record.sale ? known.purchases.get(record.sale.purchaseId) : undefined;
      const fields = compareRecord(region, record, known.leads.get(record.leadId), purchase);
      return fields.length === 0 ? [] : [`${record.leadId}: ${fields.join(", ")}`];
    });
    const sold = records.filter(({ sale }) => sale !== null && sale.soldAt >= walk.since).length;
    return { records: records.length, sold, ...countDifferences(walk, texts) };
  }),
  offers: buildLeg(OFFERS, async (walk, offers) => {
    const texts = offers
      .filter(({ state }) => !isStateForSale(state))
      .map(({ id, state }) => `${id}: offered in D1, ${state ?? "unknown"} at its exchange`);
    return { offered: offers.length, ...countDifferences(walk, texts) };
  }),
  purchases: buildLeg(PURCHASES, async (walk, purchases) => {
    const byRegion = Map.groupBy(purchases, ({ region }) => region);
    const states = await Promise.all(
      [...byRegion].map(([region, rows]) =>
        statesAt(
          walk.env,
          region,
          rows.map(({ leadId }) => leadId),
        ),
      ),
    );
    const stateOf = new Map(states.flat());
    const texts = purchases.flatMap(({ leadId }) => {
      const state = stateOf.get(leadId);
      return isStateForSale(state) ? [`${leadId}: bought in D1, ${state} at its exchange`] : [];
    });
    return { purchases: purchases.length, ...countDifferences(walk, texts) };
  }),
};
