import { desc, isNotNull, isNull } from "drizzle-orm";

import type { AttentionItem } from "../../../contract/attention.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention } from "../../platform/db/schema.ts";

/** Lists the open or the resolved problems that need a person, newest first. */
export function listAttention(
  db: Db,
  filter: { resolved: boolean; limit: number },
): Promise<AttentionItem[]> {
  return db
    .select()
    .from(attention)
    .where(filter.resolved ? isNotNull(attention.resolvedAt) : isNull(attention.resolvedAt))
    .orderBy(desc(filter.resolved ? attention.resolvedAt : attention.since))
    .limit(filter.limit);
}
