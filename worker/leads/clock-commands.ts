import { sql } from "drizzle-orm";

import type { CallClock } from "../../contract/call-clock.ts";
import { leadPurchases } from "../platform/db/schema.ts";

const { callClock, clockEndsAt } = leadPurchases;

/**
 * The columns of a purchase that end its call clock: when the customer withdraws the request, or it is erased. If the
 * rescued lead exists, the clock stays rescued. A purchase without a clock stays without one.
 */
export const ENDED_CLOCK = {
  clockDueAt: null,
  callClock: sql<CallClock | null>`CASE WHEN ${clockEndsAt} IS NULL OR ${callClock} ->> 'rescueLeadId' IS NOT NULL THEN ${callClock}
    ELSE json_set(coalesce(${callClock}, '{}'), '$.state', 'over') END`,
};
