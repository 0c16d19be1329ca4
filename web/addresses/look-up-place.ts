import type { AddressPlace } from "../../contract/suburbs.ts";

/**
 * Removes house numbers, which do not help to find the suburb. The lookup must not reveal them before the visitor sends
 * the form.
 */
function withoutNumbers(address: string): string {
  return address
    .split(/\s+/)
    .filter((word) => !/\d/.test(word) || /^\d{4}\D?$/.test(word))
    .join(" ");
}

/**
 * Looks up an address's suburb in our list.
 * @returns null if the lookup fails; the form does not depend on it
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
