import type { ContactPreference } from "../../contract/lead-labels.ts";
import { CATCH_ALL_REGION, isRegion, REGION_SLUGS, type Region } from "../../contract/regions.ts";
import type { leads } from "../platform/db/leads.ts";
import { DomainError } from "../platform/errors.ts";
import { regionOfLeadId } from "../platform/ids.ts";
import type { SuburbPlace, UnlistedPlace } from "./suburbs/rules.ts";

export type LeadRow = typeof leads.$inferSelect;

/** Returns a lead's columns for its place. Without a place (null), the lead goes to the catch-all region. */
export function formatPlace(place: SuburbPlace | UnlistedPlace | null) {
  const region: Region = place && isRegion(place.region) ? place.region : CATCH_ALL_REGION;
  return {
    suburbId: place?.id ?? null,
    suburbName: place?.name ?? null,
    suburbPostcode: place?.postcode ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    region,
  };
}

/** Returns a lead's suburb with its postcode; null without a suburb. */
export function formatLeadSuburb({
  suburbName,
  suburbPostcode,
}: Pick<LeadRow, "suburbName" | "suburbPostcode">) {
  return suburbName && [suburbName, suburbPostcode].filter(Boolean).join(" ");
}

/** Returns every region whose exchange may have shown a lead: its current one and those before its moves. */
export function marketsOf({
  id,
  region,
  generation,
}: Pick<LeadRow, "id" | "region" | "generation">): Region[] {
  const first = regionOfLeadId(id);
  const earlier = generation > 2 ? REGION_SLUGS : first && isRegion(first) ? [first] : [];
  return [...new Set([region, ...earlier])];
}

/**
 * Refuses a customer who wants an email but gave no address.
 * @throws DomainError invalid_input
 */
export function refuseEmailWithoutAddress(
  method: ContactPreference["contactMethod"] | undefined,
  email: string | null | undefined,
): void {
  if (method !== "email" || email) return;
  const message = "Please add your email address, or choose a call or a text";
  throw new DomainError("invalid_input", message, { customerEmail: message });
}
