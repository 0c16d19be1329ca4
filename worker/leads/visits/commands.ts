/** Counts visits without identifying visitors. Stores only daily totals, and no cookie or address. */
import { sql } from "drizzle-orm";

import { sydneyDay } from "../../../contract/sydney-time.ts";
import type { Db } from "../../platform/db/client.ts";
import { visitDays } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import type { NetworkPrefixes } from "../../platform/network.ts";
import { type Visit, VisitCounter } from "./rules.ts";

/** This isolate's counter. When the isolate ends, unwritten counts are lost. */
const counter = new VisitCounter();

async function addVisits(db: Db, day: string, visits: Record<Visit, number>): Promise<void> {
  const { pages, forms } = visits;
  await db
    .insert(visitDays)
    .values({ day, pages, forms })
    .onConflictDoUpdate({
      target: visitDays.day,
      set: {
        pages: sql`${visitDays.pages} + excluded.pages`,
        forms: sql`${visitDays.forms} + excluded.forms`,
      },
    });
}

/** Counts a page view or a started form. The response does not wait for the write. A failed write is not retried. */
export function countVisit(
  context: Context,
  ctx: Pick<ExecutionContext, "waitUntil">,
  visit: Visit,
  networks: NetworkPrefixes,
  now: number,
): void {
  const visits = counter.count(visit, networks, now);
  if (visits === null) return;
  const added = addVisits(context.db, sydneyDay(now), visits);
  ctx.waitUntil(added.catch((error: unknown) => log("warn", "visits_not_counted", { error })));
}
