import type { Db } from "../../platform/db/client.ts";
import { providerTag, tagsLinking } from "../../platform/edge-cache/cache-tags.ts";
import { type Expiry, expirePages } from "../../platform/edge-cache/public-pages.ts";
import { findSlug, listCouncils } from "./profile-queries.ts";

/**
 * Expires the share picture of a business's page, and the cached pages of suburbs and services that may link to it. Call
 * it after the change is stored.
 * @param url any URL of the site
 * @param how see `expirePages`
 */
export async function expireLinkingPages(
  db: Db,
  url: string,
  businessId: string,
  how: Expiry = "invalidate",
): Promise<void> {
  const [councils, slug] = await Promise.all([listCouncils(db, businessId), findSlug(db, businessId)]);
  await expirePages(url, [...tagsLinking(councils), ...(slug === null ? [] : [providerTag(slug)])], how);
}
