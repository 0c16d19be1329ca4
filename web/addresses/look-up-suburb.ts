import type { AddressPlace } from "../../contract/suburbs.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";

/**
 * Which suburb an address is in, for a page that is made on the server.
 * @returns null when nothing was typed, or when it cannot be told: the form goes on without
 */
export async function lookUpSuburb(api: ApiClient, address: unknown): Promise<AddressPlace | null> {
  if (typeof address !== "string" || !address.trim()) return null;
  const query = { address: address.trim().slice(0, 200) };
  return unwrap(api.api.suburbs.by.address.$get({ query })).catch(() => null);
}
