import { publicPages } from "../../platform/edge-cache/public-pages.ts";
import { councilTag, SUBURBS_TAG, suburbTag } from "./cache-tags.ts";

/**
 * Purges every cached page that shows a suburb: its own, its neighbours' and the lists. Call it after the suburb's row
 * is stored. If the purge fails, the pages expire within the hour.
 * @param ctx the request's; in a route `c.executionCtx`
 * @param url any URL of the site
 */
export async function purgeSuburb(
  ctx: Parameters<typeof publicPages>[0],
  url: string,
  suburb: { slug: string; council: string },
): Promise<void> {
  const tags = [SUBURBS_TAG, suburbTag(suburb.slug), councilTag(suburb.council)];
  await publicPages(ctx, new URL(url).origin).purge(tags);
}
