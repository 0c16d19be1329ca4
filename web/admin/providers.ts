import type { ProviderGroup } from "../../contract/providers.ts";
import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";

export const PROVIDERS_KEY = ["providers"] as const;

/**
 * Providers whose name, company, username, email or phone holds `q`, newest first.
 * @param only a group of them; absent for all
 */
export function useProviders(q: string, only?: ProviderGroup) {
  const wanted = q.trim();
  return usePages([...PROVIDERS_KEY, wanted, only ?? ""], (cursor) =>
    readPage(browserApi().api.users.providers.$get({ query: { q: wanted, cursor, ...(only && { only }) } })),
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
