import type { AddressPlace } from "../../contract/suburbs.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";

/**
 * Looks up an address's suburb for a page rendered on the server.
 * @returns null for an empty address or a failed lookup; the form works without a suburb
 */
export async function lookUpSuburb(api: ApiClient, address: unknown): Promise<AddressPlace | null> {
  if (typeof address !== "string" || !address.trim()) return null;
  const query = { address: address.trim().slice(0, 200) };
  return unwrap(api.api.suburbs.by.address.$get({ query })).catch(() => null);
}
