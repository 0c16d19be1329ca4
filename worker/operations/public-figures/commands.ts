import { eq } from "drizzle-orm";
import * as z from "zod/mini";

import { FIGURE_DAYS, FIGURE_KEYS } from "../../../contract/public-figures.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import type { Context } from "../../platform/context.ts";
import { publicFigures } from "../../platform/db/schema.ts";
import { isPrice } from "./queries.ts";
import { type Period, selectFigure, selectPrices } from "./figure-queries.ts";

/** Returns the period of the figures: up to the end of yesterday in Sydney. */
function periodAt(now: number): Period {
  const today = sydneyDay(now);
  const fromDay = addDays(today, -FIGURE_DAYS);
  return {
    fromDay,
    toDay: addDays(today, -1),
    from: startOfSydneyDay(fromDay)!,
    to: startOfSydneyDay(today)!,
  };
}

/**
 * Computes one public figure per call, prices last. Replaces the stored figure. Deletes it if it
 * no longer has enough records.
 *
 * @param progress the position in FIGURE_KEYS; null for the first call
 * @returns the next position, or null after the last figure
 */
export async function computeFigure(
  { db }: Context,
  progress: unknown,
  now: number,
): Promise<{ progress: number | null; counts: { figures_computed: number } }> {
  const index = progress === null ? 0 : z.int().parse(progress);
  const period = periodAt(now);
  const key = FIGURE_KEYS[index];
  await db.batch([
    db.delete(publicFigures).where(key ? eq(publicFigures.key, key) : isPrice),
    db.insert(publicFigures).select(key ? selectFigure(key, period, now) : selectPrices(period, now)),
  ]);
  return { progress: key ? index + 1 : null, counts: { figures_computed: 1 } };
}
