import { and, asc, eq, gt, gte, inArray, isNotNull, or, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { attention, leadPurchases, leads } from "../../platform/db/schema.ts";
import { LOSSES } from "./rules.ts";

/** Returns those of the leads that an admin has resolved as losses in the attention list. */
export async function settledLosses(db: Db, leadIds: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: attention.subjectId })
    .from(attention)
    .where(
      and(
        inArray(attention.kind, [...LOSSES]),
        inArray(attention.subjectId, leadIds),
        isNotNull(attention.resolvedAt),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Returns a page of the purchases D1 has recorded since a given time, with the region that trades each lead. */
export function pageTraded(
  db: Db,
  { since, after, limit }: { since: number; after: { at: number; id: string } | null; limit: number },
) {
  return db
    .select({
      id: leadPurchases.id,
      at: leadPurchases.purchasedAt,
      leadId: leadPurchases.leadId,
      region: leads.region,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        // Matches the condition of the partial index.
        sql`${leadPurchases.mode} <> 'manual'`,
        gte(leadPurchases.purchasedAt, after?.at ?? since),
        after ? or(gt(leadPurchases.purchasedAt, after.at), gt(leadPurchases.id, after.id)) : undefined,
      ),
    )
    .orderBy(asc(leadPurchases.purchasedAt), asc(leadPurchases.id))
    .limit(limit);
}
