import { isRegion } from "./regions.ts";

/** What a visitor can read out over the phone, so that their request is found: the region and a beginning of the id. */
const LENGTH = 8;

const LEAD_ID = /^lead_([a-z-]+)_([0-9a-z]+)$/;
const REFERENCE = /^([a-z-]+)-([0-9a-z]{8})$/;

/** A lead's reference, such as "INNER-WEST-3F9K2M7Q"; null when the text is no lead id. */
export function referenceOf(leadId: string): string | null {
  const [, region, rest] = LEAD_ID.exec(leadId) ?? [];
  return region && rest ? `${region}-${rest.slice(0, LENGTH)}`.toUpperCase() : null;
}

/** How the id begins that a reference names, in capitals or not; null when the text is no reference. */
export function idBeginning(reference: string): string | null {
  const [, region, rest] = REFERENCE.exec(reference.trim().toLowerCase()) ?? [];
  // Other words with a hyphen are somebody's name.
  return region && isRegion(region) ? `lead_${region}_${rest}` : null;
}
