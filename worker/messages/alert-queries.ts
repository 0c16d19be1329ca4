/** What people chose to hear of, as the statements ask for it. */
import { eq, type SQL, sql } from "drizzle-orm";

import type { LeadAlerts } from "../../contract/lead-alerts.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { Db } from "../db/client.ts";
import { leadAlerts, users } from "../db/schema.ts";
import { type Asked, sizesUpTo } from "./alert-rules.ts";

/** What a person chose; nothing and no pause until they do. */
export async function findLeadAlerts(
  db: Db,
  scope: Pick<BusinessScope, "userId">,
  now: number,
): Promise<LeadAlerts> {
  const [row] = await db.select().from(leadAlerts).where(eq(leadAlerts.userId, scope.userId));
  const {
    regions = null,
    services = null,
    urgencies = null,
    leastSize = null,
    pausedUntil = null,
  } = row ?? {};
  return {
    regions,
    services,
    urgencies,
    leastSize,
    pausedUntil: pausedUntil !== null && pausedUntil > now ? sydneyDay(pausedUntil) : null,
  } as LeadAlerts;
}

const among = (values: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Whether a list names a value; where there is none, every value is in it. */
const names = (list: typeof leadAlerts.regions | typeof leadAlerts.urgencies, value: string) =>
  sql`(${list} IS NULL OR EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${value}))`;

/**
 * Whether one of a lead's services is a business's work and one of those its owner chose; a business that chose none
 * does all. The same service has to be both.
 */
function isWork(services: readonly string[]): SQL {
  const isAsked = sql`value IN ${among(services)}`;
  const isOffered = sql`(${users.services} = '[]' OR value IN (SELECT value FROM json_each(${users.services})))`;
  return sql`CASE WHEN ${leadAlerts.services} IS NULL
    THEN ${users.services} = '[]' OR EXISTS (SELECT 1 FROM json_each(${users.services}) WHERE ${isAsked})
    ELSE EXISTS (SELECT 1 FROM json_each(${leadAlerts.services}) WHERE ${isAsked} AND ${isOffered}) END`;
}

/** Whether somebody wants to hear of a lead, for a statement with their row of `lead_alerts`, or none. */
export function wants({ region, serviceType, urgency, size }: Asked): SQL[] {
  return [
    sql`EXISTS (SELECT 1 FROM json_each(${users.watchedRegions}) WHERE value = ${region})`,
    isWork(serviceType),
    names(leadAlerts.regions, region),
    names(leadAlerts.urgencies, urgency),
    sql`(${leadAlerts.leastSize} IS NULL OR ${leadAlerts.leastSize} IN ${among(sizesUpTo(size))})`,
  ];
}
