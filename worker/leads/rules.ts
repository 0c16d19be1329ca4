import { CATCH_ALL_REGION, isRegion, REGION_SLUGS, type Region } from "../../contract/regions.ts";
import type { leads } from "../platform/db/schema.ts";
import { regionOfLeadId } from "../platform/ids.ts";
import type { Place } from "./suburbs/rules.ts";

export type LeadRow = typeof leads.$inferSelect;

/** What a lead's row says of its place; without one (null), it belongs to the catch-all region. */
export function placeOf(place: Place | null) {
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

/** Every market that may have said something of a lead: where it is, and where it was before it moved. */
export function marketsOf({
  id,
  region,
  generation,
}: Pick<LeadRow, "id" | "region" | "generation">): Region[] {
  const first = regionOfLeadId(id);
  const earlier = generation > 2 ? REGION_SLUGS : first && isRegion(first) ? [first] : [];
  return [...new Set([region, ...earlier])];
}
