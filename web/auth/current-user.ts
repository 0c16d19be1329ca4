import { type QueryClient, useQuery } from "@tanstack/react-query";

import type { CurrentUser } from "../../contract/auth.ts";
import { type ApiClient, ApiError, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const ME_KEY = ["me"] as const;

/** The signed-in person; null when nobody is. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser | null> {
  try {
    return await unwrap(api.api.auth.me.$get());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The signed-in person, fresh for 5 minutes and kept for 10. */
export function useCurrentUser(initial: CurrentUser | null): CurrentUser | null {
  const { data } = useQuery({
    queryKey: ME_KEY,
    queryFn: () => fetchCurrentUser(browserApi()),
    initialData: initial,
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
  });
  return data;
}

/**
 * Asks the server who we are, after a socket was closed on us. Nobody any more: to the login page.
 * Somebody else than before (another tab signed in, an impersonation ended): this page starts over.
 */
export async function askWhoWeAre(client: QueryClient): Promise<void> {
  const before = client.getQueryData<CurrentUser | null>(ME_KEY);
  let now: CurrentUser | null;
  try {
    now = await fetchCurrentUser(browserApi());
  } catch {
    return;
  }
  if (!now) {
    client.clear();
    location.assign("/login");
  } else if (now.id !== before?.id || now.isImpersonating !== before.isImpersonating) {
    location.reload();
  } else {
    client.setQueryData(ME_KEY, now);
  }
}
