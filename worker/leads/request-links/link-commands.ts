import { sql } from "drizzle-orm";

import type { ConfirmedBy } from "../../../contract/lead-labels.ts";
import { hashToken, newToken } from "../../identity/auth/rules.ts";
import type { Db } from "../../platform/db/client.ts";
import { requestLinks } from "../../platform/db/schema.ts";

/**
 * Creates a secret link to a request's page. Earlier links stay valid.
 * @param leadId any lead of the request; the link is to its first one
 * @param options.token the same token again creates no second link
 * @param options.sentBy how we send the link; null for a link that a page shows
 * @returns the link's token
 */
export async function createRequestLink(
  db: Db,
  leadId: string,
  now: number,
  { token = newToken(), sentBy = null }: { token?: string; sentBy?: ConfirmedBy | null } = {},
): Promise<string> {
  const firstId = sql`coalesce((SELECT rescued_from_id FROM leads WHERE id = ${leadId}), ${leadId})`;
  await db
    .insert(requestLinks)
    .values({ tokenHash: hashToken(token), leadId: firstId, createdAt: now, sentBy })
    .onConflictDoNothing();
  return token;
}
