import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";

/** Returns providers whose name, company, username, email or phone contains `q`, newest first. */
export function useProviders(q: string) {
  const wanted = q.trim();
  return usePages(["admin", "providers", wanted], (cursor) =>
    readPage(browserApi().api.users.providers.$get({ query: { q: wanted, cursor } })),
  );
}

export function providerName(provider: { firstName: string; lastName: string }): string {
  return `${provider.firstName} ${provider.lastName}`;
}

/** Returns a provider's display name: the company, or the person without one. */
export function shownName(provider: {
  firstName: string;
  lastName: string;
  companyName: string | null;
}): string {
  return provider.companyName || providerName(provider);
}
