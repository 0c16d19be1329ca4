import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { type ApiClient, codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { forgetLeads } from "../lib/forget-sealed.ts";
import { rememberReturnPath } from "./way-back.ts";

export const ME_KEY = ["me"] as const;

/** Returns whether our own server sent a 401. Ignores those of a network's sign-in portal. */
const isUnknown = (error: unknown) => codeOf(error) === "unauthenticated";

/** Returns the signed-in user, or null. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser | null> {
  try {
    return await unwrap(api.api.auth.me.$get());
  } catch (error) {
    if (isUnknown(error)) return null;
    throw error;
  }
}

/** Returns the signed-in user. Fresh for 5 minutes, cached for 10. */
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

/** Caches the signed-in user. Without this, the cache would evict it on pages where no component uses that query. */
export function rememberUser(client: QueryClient, user: CurrentUser): void {
  client.setQueryDefaults(ME_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(ME_KEY, user);
}

let asking: Promise<void> | null = null;

function forgetAsking() {
  asking = null;
}

/**
 * Fetches the current user after a socket has closed or a response was 401. If the session has ended, it opens the
 * login page. Unsent changes stay on this device for the same user. If the user has changed (another tab signed in, an
 * impersonation ended), it reloads the page. When several sockets close at once, it sends one request and leaves the
 * page once.
 */
export function askWhoWeAre(client: QueryClient): Promise<void> {
  asking ??= askOnce(client);
  return asking;
}

async function askOnce(client: QueryClient): Promise<void> {
  const isLeaving = await ask(client);
  // While the page is unloading, send no more requests. If the browser restores it from its cache, check again.
  if (isLeaving) addEventListener("pageshow", forgetAsking, { once: true });
  else forgetAsking();
}

/** Returns whether the page is unloading. */
async function ask(client: QueryClient): Promise<boolean> {
  const before = client.getQueryData<CurrentUser | null>(ME_KEY);
  let now: CurrentUser | null;
  try {
    now = await fetchCurrentUser(browserApi());
  } catch {
    return false;
  }
  if (!now) {
    rememberReturnPath(before?.id ?? null);
    client.clear();
    await forgetLeads();
    location.assign("/login?ended");
    return true;
  }
  if (now.id !== before?.id || now.isImpersonating !== before.isImpersonating) {
    location.reload();
    return true;
  }
  client.setQueryData(ME_KEY, now);
  return false;
}

/** Fetches the current user whenever a response says that the session has ended. */
export function useSessionWatch(): void {
  const client = useQueryClient();
  useEffect(() => {
    const doubt = (error: unknown) => {
      // Ignore visitors, who have no session.
      if (isUnknown(error) && client.getQueryData(ME_KEY)) void askWhoWeAre(client);
    };
    const ends = [
      client
        .getMutationCache()
        .subscribe(
          (event) => event.type === "updated" && event.action.type === "error" && doubt(event.action.error),
        ),
      client
        .getQueryCache()
        .subscribe(
          (event) => event.type === "updated" && event.action.type === "error" && doubt(event.action.error),
        ),
    ];
    return () => ends.forEach((end) => end());
  }, [client]);
}
