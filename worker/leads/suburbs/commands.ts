import { publicPages } from "../../platform/edge-cache/public-pages.ts";
import { councilTag, SUBURBS_TAG, suburbTag } from "./cache-tags.ts";

/**
 * Takes every shared page that shows a suburb out of the cache: its own, its neighbours', the lists. Call
 * it after the suburb's row has been written; what it fails to purge grows old within the hour.
 * @param ctx the request's; in a route `c.executionCtx`
 * @param url any address of the site
 */
export async function purgeSuburb(
  ctx: Parameters<typeof publicPages>[0],
  url: string,
  suburb: { slug: string; council: string },
): Promise<void> {
  const tags = [SUBURBS_TAG, suburbTag(suburb.slug), councilTag(suburb.council)];
  await publicPages(ctx, new URL(url).origin).purge(tags);
}
