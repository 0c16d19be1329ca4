import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { type ApiClient, codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { deleteStoredLeads } from "../lib/clear-encrypted-store.ts";
import { getLoginPath } from "./return-path.ts";

export const CURRENT_USER_KEY = ["me"] as const;

/** Returns whether our own server sent a 401. Ignores those of a network's sign-in portal. */
const isUnauthenticated = (error: unknown) => codeOf(error) === "unauthenticated";

/** Returns the signed-in user, or null. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser | null> {
  try {
    return await unwrap(api.api.auth.me.$get());
  } catch (error) {
    if (isUnauthenticated(error)) return null;
    throw error;
  }
}

/** Returns the signed-in user. Fresh for 5 minutes, cached for 10. */
export function useCurrentUser(initial: CurrentUser | null): CurrentUser | null {
  const { data } = useQuery({
    queryKey: CURRENT_USER_KEY,
    queryFn: () => fetchCurrentUser(browserApi()),
    initialData: initial,
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
  });
  return data;
}

/** The signed-in user; null for a visitor. */
export const UserContext = createContext<CurrentUser | null>(null);

/** Returns the signed-in user, in a part that no visitor sees. */
export function useUser(): CurrentUser {
  const user = use(UserContext);
  if (!user) throw new Error("No user is signed in");
  return user;
}

/** Caches the signed-in user. Without this, the cache would evict it on pages where no component uses that query. */
export function cacheCurrentUser(client: QueryClient, user: CurrentUser): void {
  client.setQueryDefaults(CURRENT_USER_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(CURRENT_USER_KEY, user);
}

let pendingCheck: Promise<void> | null = null;
let isChangingSession = false;

function clearPendingCheck() {
  pendingCheck = null;
}

function allowChecks() {
  isChangingSession = false;
}

/**
 * Fetches the current user after a socket has closed or a response was 401. If the session has ended, it opens the
 * login page. Unsent changes stay on this device for the same user. If the user has changed (another tab signed in, an
 * impersonation ended), it reloads the page. When several sockets close at once, it sends one request and leaves the
 * page once.
 */
export function recheckCurrentUser(client: QueryClient): Promise<void> {
  if (isChangingSession) return Promise.resolve();
  pendingCheck ??= recheckOnce(client);
  return pendingCheck;
}

async function recheckOnce(client: QueryClient): Promise<void> {
  const isUnloading = await recheck(client);
  // Block further checks while the page unloads. Allow them again if the browser restores the page from its cache.
  if (isUnloading) addEventListener("pageshow", clearPendingCheck, { once: true });
  else clearPendingCheck();
}

/** Returns whether the page is unloading. */
async function recheck(client: QueryClient): Promise<boolean> {
  const before = client.getQueryData<CurrentUser | null>(CURRENT_USER_KEY);
  let now: CurrentUser | null;
  try {
    now = await fetchCurrentUser(browserApi());
  } catch {
    return false;
  }
  if (isChangingSession) return false;
  if (!now) {
    client.clear();
    await deleteStoredLeads();
    location.assign(getLoginPath(location, before?.id ?? ""));
    return true;
  }
  if (now.id !== before?.id || now.isImpersonating !== before.isImpersonating) {
    location.reload();
    return true;
  }
  client.setQueryData(CURRENT_USER_KEY, now);
  return false;
}

/**
 * Runs a request that ends or replaces this page's session: signing out, closing the account, starting or stopping an
 * impersonation. From then on the page does not check the session, unless the request fails: the server closes the
 * sockets, and a check would open the login page before the caller opens another page.
 * @returns what `change` returns
 */
export async function changeSession<Result>(change: () => Promise<Result>): Promise<Result> {
  isChangingSession = true;
  try {
    const result = await change();
    addEventListener("pageshow", allowChecks, { once: true });
    return result;
  } catch (error) {
    allowChecks();
    throw error;
  }
}

/** Fetches the current user whenever a response says that the session has ended. */
export function useSessionCheck(): void {
  const client = useQueryClient();
  useEffect(() => {
    const recheckIfSignedOut = (error: unknown) => {
      // Ignore visitors, who have no session.
      if (isUnauthenticated(error) && client.getQueryData(CURRENT_USER_KEY)) void recheckCurrentUser(client);
    };
    const unsubscribers = [
      client
        .getMutationCache()
        .subscribe(
          (event) =>
            event.type === "updated" &&
            event.action.type === "error" &&
            recheckIfSignedOut(event.action.error),
        ),
      client
        .getQueryCache()
        .subscribe(
          (event) =>
            event.type === "updated" &&
            event.action.type === "error" &&
            recheckIfSignedOut(event.action.error),
        ),
    ];
    return () => unsubscribers.forEach((end) => end());
  }, [client]);
}
