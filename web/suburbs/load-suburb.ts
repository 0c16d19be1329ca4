import { type ApiClient, ApiError, unwrap } from "../lib/api.ts";

/**
 * A suburb with its neighbours, both asked for at once.
 * @param nameOrSlug from the page's address
 * @returns null when there is no such page
 * @throws ApiError when the API fails
 */
export async function loadSuburb(api: ApiClient, nameOrSlug: string) {
  const param = { name: nameOrSlug };
  try {
    const [suburb, nearby] = await Promise.all([
      unwrap(api.api.suburbs[":name"].$get({ param })),
      unwrap(api.api.suburbs[":name"].nearby.$get({ param })),
    ]);
    return { suburb, nearby };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
