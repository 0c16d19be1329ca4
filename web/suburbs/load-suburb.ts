import { type ApiClient, ApiError, unwrap } from "../lib/api.ts";

/**
 * Loads a suburb with its neighbours and statistics, and the providers who work there, in parallel.
 * @param nameOrSlug from the page's URL
 * @returns null when there is no such page
 * @throws ApiError when the API fails
 */
export async function loadSuburb(api: ApiClient, nameOrSlug: string) {
  const param = { name: nameOrSlug };
  try {
    const [{ nearby, records, ...suburb }, providers] = await Promise.all([
      unwrap(api.api.suburbs[":name"].$get({ param })),
      // An extra: without it, the page still answers the visitor.
      unwrap(api.api.profiles.near[":slug"].$get({ param: { slug: nameOrSlug } })).catch(() => []),
    ]);
    return { suburb, nearby, records, providers };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
