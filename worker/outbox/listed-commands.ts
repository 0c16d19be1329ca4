import { and, eq, exists, gt, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { leads, messages, pushDevices } from "../platform/db/schema.ts";
import { newId } from "../platform/ids.ts";
import { rowColumns } from "./enqueue-commands.ts";
import { RULES } from "./registry.ts";

/**
 * Returns the statement that enqueues alerts about a lead, for the batch that puts it on the market. It enqueues them
 * only while D1 has the lead as `pending`, and only if any device is registered.
 */
export function noteListed(
  db: Db,
  { leadId, generation }: { leadId: string; generation: number },
  now: number,
) {
  const isFirst = and(
    eq(leads.id, leadId),
    eq(leads.generation, generation),
    eq(leads.listingState, "pending"),
    exists(db.select({ id: pushDevices.id }).from(pushDevices).where(gt(pushDevices.id, ""))),
  );
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: sql`${newId("msg")}`,
            dedupeKey: sql`${`new_lead:${leadId}:${generation}`}`,
            channel: "spread",
            template: "new_lead",
            payload: sql`${JSON.stringify({ leadId, generation })}`,
            due: sql`${now}`,
            expiresAt: sql`${now + RULES.new_lead.lifetimeMs}`,
            createdAt: sql`${now}`,
          }),
        )
        .from(leads)
        .where(isFirst),
    )
    .onConflictDoNothing();
}
