import type { AddressPlace } from "../../contract/suburbs.ts";

/** Removes house numbers, which say nothing about a suburb. They stay on the page until the form is sent. */
function withoutNumbers(address: string): string {
  return address
    .split(/\s+/)
    .filter((word) => !/\d/.test(word) || /^\d{4}\D?$/.test(word))
    .join(" ");
}

/**
 * Looks up an address's suburb in our list.
 * @returns null when the lookup fails: the form never waits for it
 */
export async function lookUpPlace(address: string): Promise<AddressPlace | null> {
  const query = new URLSearchParams({ address: withoutNumbers(address) });
  try {
    const response = await fetch(`/api/suburbs/by/address?${query}`, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? ((await response.json()) as AddressPlace) : null;
  } catch {
    return null;
  }
}
