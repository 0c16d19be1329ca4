import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { type ApiClient, codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { forgetLeads } from "../lib/forget-sealed.ts";
import { rememberPlace } from "./way-back.ts";

export const ME_KEY = ["me"] as const;

/** Our own server's word, not that of a network that wants to be signed in to. */
const isUnknown = (error: unknown) => codeOf(error) === "unauthenticated";

/** The signed-in person; null when nobody is. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser | null> {
  try {
    return await unwrap(api.api.auth.me.$get());
  } catch (error) {
    if (isUnknown(error)) return null;
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

/** Makes known who is signed in, for a page on which nothing watches that: it is not forgotten meanwhile. */
export function rememberUser(client: QueryClient, user: CurrentUser): void {
  client.setQueryDefaults(ME_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(ME_KEY, user);
}

let asking: Promise<void> | null = null;

function forgetAsking() {
  asking = null;
}

/**
 * Asks the server who we are, after a socket was closed on us or an answer was 401. Nobody any more: to the
 * login page, which says so and leads back here; what waits to be sent stays on this device for whoever made it.
 * Somebody else than before (another tab signed in, an impersonation ended): this page starts over.
 * All sockets are closed at once, each of them asks here: it is answered once, and the page left once.
 */
export function askWhoWeAre(client: QueryClient): Promise<void> {
  asking ??= askOnce(client);
  return asking;
}

async function askOnce(client: QueryClient): Promise<void> {
  const isLeaving = await ask(client);
  // A page that is being left asks no more; should the browser's cache bring it back, it asks anew.
  if (isLeaving) addEventListener("pageshow", forgetAsking, { once: true });
  else forgetAsking();
}

/** Whether this page is being left. */
async function ask(client: QueryClient): Promise<boolean> {
  const before = client.getQueryData<CurrentUser | null>(ME_KEY);
  let now: CurrentUser | null;
  try {
    now = await fetchCurrentUser(browserApi());
  } catch {
    return false;
  }
  if (!now) {
    rememberPlace(before?.id ?? null);
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

/** Notices wherever the server answers that it does not know us any more, and asks who we are. */
export function useSessionWatch(): void {
  const client = useQueryClient();
  useEffect(() => {
    const doubt = (error: unknown) => {
      // Visitors are no news.
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
