/** Counts visits without identifying visitors: one row a day, without a cookie or an address. */
import { sql } from "drizzle-orm";

import { sydneyDay } from "../../../contract/sydney-time.ts";
import { marketDays } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import type { Visit } from "./rules.ts";

/** Counts a page view or a started form. The response does not wait for the write. A failed write is not retried. */
export function countVisit(
  context: Context,
  ctx: Pick<ExecutionContext, "waitUntil">,
  visit: Visit,
  now: number,
): void {
  const counted = context.db
    .insert(marketDays)
    .values({ day: sydneyDay(now), [visit]: 1 })
    .onConflictDoUpdate({ target: marketDays.day, set: { [visit]: sql`${marketDays[visit]} + 1` } });
  ctx.waitUntil(counted.catch((error: unknown) => log("warn", "visits_not_counted", { error })));
}
