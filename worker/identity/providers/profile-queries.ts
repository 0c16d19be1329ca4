/** SQL about businesses' public pages, for the layers that link to them. */
import { and, asc, eq, isNull, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { profileCouncils, providerProfiles, users } from "../../platform/db/schema.ts";

/** SQL: an admin has verified the business or its ABN, or it has paid for a lead. Raw, for queries on `users` alone. */
export const isEstablished = sql<boolean>`(users.is_verified
  OR EXISTS (SELECT 1 FROM provider_checks
    WHERE business_id = users.id AND kind = 'abn' AND state = 'valid')
  OR EXISTS (SELECT 1 FROM lead_purchases
    WHERE buyer_id = users.id AND removed_at IS NULL AND payment_status = 'completed' AND amount_paid_cents > 0))`;

/** SQL: everyone may see the page. Join it with the business's account. */
export const isProfileShown = and(
  // As in the partial index provider_profiles_public.
  sql`${providerProfiles.isPublic}`,
  isNull(providerProfiles.hiddenAt),
  eq(users.isActive, true),
  isEstablished,
)!;

/** SQL: the slug of a business's page; null if it has none that everyone may see. Join it with `users`. */
export const shownSlug = sql<string | null>`(SELECT provider_profiles.slug FROM provider_profiles
  WHERE provider_profiles.business_id = users.id AND provider_profiles.is_public
    AND provider_profiles.hidden_at IS NULL AND users.is_active AND ${isEstablished})`;

/** Lists the councils in which a business works, by its page. */
export async function listCouncils(db: Db, businessId: string): Promise<string[]> {
  const rows = await db
    .select({ council: profileCouncils.council })
    .from(profileCouncils)
    .where(eq(profileCouncils.businessId, businessId))
    .orderBy(asc(profileCouncils.council));
  return rows.map(({ council }) => council);
}

/** Returns the slug of a business's page, also of one that is not public; null if it has none. */
export async function findSlug(db: Db, businessId: string): Promise<string | null> {
  const [row] = await db
    .select({ slug: providerProfiles.slug })
    .from(providerProfiles)
    .where(eq(providerProfiles.businessId, businessId));
  return row?.slug ?? null;
}
