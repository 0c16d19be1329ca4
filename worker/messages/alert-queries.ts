/** Reads users' alert choices, and builds SQL conditions that match leads with them. */
import { eq, type SQL, sql } from "drizzle-orm";

import type { LeadAlerts } from "../../contract/lead-alerts.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../identity/auth/rights.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, users } from "../platform/db/schema.ts";
import { type AlertableLead, sizesUpTo } from "../leads/alerts/rules.ts";

/** Returns a user's choices. A user without a row has no choices and no pause. */
export async function findLeadAlerts(
  db: Db,
  scope: Pick<BusinessScope, "userId">,
  now: number,
): Promise<LeadAlerts> {
  const [row] = await db.select().from(alertSettings).where(eq(alertSettings.userId, scope.userId));
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

const jsonValuesOf = (values: readonly string[]) =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** SQL: a list contains a value. NULL contains every value. */
const names = (list: typeof alertSettings.regions | typeof alertSettings.urgencies, value: string) =>
  sql`(${list} IS NULL OR EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${value}))`;

/**
 * SQL: the business offers one of the lead's services, and its owner chose the same service. A business without listed
 * services offers all.
 */
function isWork(services: readonly string[]): SQL {
  const isRequested = sql`value IN ${jsonValuesOf(services)}`;
  const isOffered = sql`(${users.services} = '[]' OR value IN (SELECT value FROM json_each(${users.services})))`;
  return sql`CASE WHEN ${alertSettings.services} IS NULL
    THEN ${users.services} = '[]' OR EXISTS (SELECT 1 FROM json_each(${users.services}) WHERE ${isRequested})
    ELSE EXISTS (SELECT 1 FROM json_each(${alertSettings.services}) WHERE ${isRequested} AND ${isOffered}) END`;
}

/** SQL: a user wants an alert for a lead. The statement must left join the user's row of `alert_settings`. */
export function wantsConditions({ region, serviceType, urgency, size }: AlertableLead): SQL[] {
  return [
    sql`EXISTS (SELECT 1 FROM json_each(${users.watchedRegions}) WHERE value = ${region})`,
    isWork(serviceType),
    names(alertSettings.regions, region),
    names(alertSettings.urgencies, urgency),
    sql`(${alertSettings.leastSize} IS NULL OR ${alertSettings.leastSize} IN ${jsonValuesOf(sizesUpTo(size))})`,
  ];
}
