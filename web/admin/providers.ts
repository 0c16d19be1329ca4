import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";

export const PROVIDERS_KEY = ["providers"] as const;

/** Providers whose name, company, username or email holds `q`, newest first. */
export function useProviders(q: string) {
  const wanted = q.trim();
  return usePages([...PROVIDERS_KEY, wanted], (cursor) =>
    readPage(browserApi().api.users.providers.$get({ query: { q: wanted, cursor } })),
  );
}

/** A provider's name as lists show it. */
export function providerName(provider: { firstName: string; lastName: string }): string {
  return `${provider.firstName} ${provider.lastName}`;
}

/** Whom a provider is known as: the company, else the person. */
export function shownName(provider: {
  firstName: string;
  lastName: string;
  companyName: string | null;
}): string {
  return provider.companyName || providerName(provider);
}
