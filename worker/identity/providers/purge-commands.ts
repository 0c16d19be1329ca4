import type { Db } from "../../platform/db/client.ts";
import { tagsLinking } from "../../platform/edge-cache/cache-tags.ts";
import { purgePages } from "../../platform/edge-cache/public-pages.ts";
import { listCouncils } from "./profile-queries.ts";

/**
 * Purges the cached pages of suburbs and services that may link to a business. Call it after the change is stored.
 * @param url any URL of the site
 */
export async function purgeLinkingPages(db: Db, url: string, businessId: string): Promise<void> {
  await purgePages(url, tagsLinking(await listCouncils(db, businessId)));
}
