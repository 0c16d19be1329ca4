import type { Db } from "../../platform/db/client.ts";
import { councilTag } from "../../platform/edge-cache/cache-tags.ts";
import { purgePages } from "../../platform/edge-cache/public-pages.ts";
import { listCouncils } from "./profile-queries.ts";

/**
 * Purges the cached suburb pages that may list a business. Call it after the change is stored.
 * @param url any URL of the site
 */
export async function purgeSuburbPages(db: Db, url: string, businessId: string): Promise<void> {
  await purgePages(url, (await listCouncils(db, businessId)).map(councilTag));
}
