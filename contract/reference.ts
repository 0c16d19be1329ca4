import { isRegion } from "./regions.ts";

/*
 * What a visitor can read out over the phone, so that their request is found: a beginning of its id, after the region
 * of a lead or, for an inspection, which is no lead, after its kind.
 */
const LENGTH = 8;
const INSPECTION = "inspection";

const ID = /^(?:lead_([a-z-]+)|bkg)_([0-9a-z]+)$/;
const REFERENCE = /^([a-z-]+)-([0-9a-z]{8})$/;

/**
 * The reference of what a request became.
 * @param id a lead's, or the booking's of an inspection
 * @returns such as "INNER-WEST-3F9K2M7Q" or "INSPECTION-3F9K2M7Q"; null when the text is neither id
 */
export function referenceOf(id: string): string | null {
  const [, region = INSPECTION, rest] = ID.exec(id) ?? [];
  return rest ? `${region}-${rest.slice(0, LENGTH)}`.toUpperCase() : null;
}

/** Both parts of a reference, typed in capitals or not. */
const partsOf = (reference: string) => REFERENCE.exec(reference.trim().toLowerCase()) ?? [];

/** How the lead's id begins that a reference names; null when the text is no lead's reference. */
export function idBeginning(reference: string): string | null {
  const [, region, rest] = partsOf(reference);
  // Other words with a hyphen are somebody's name.
  return region && isRegion(region) ? `lead_${region}_${rest}` : null;
}

/** How the booking's id begins that a reference names; null when the text is no inspection's reference. */
export function bookingBeginning(reference: string): string | null {
  const [, kind, rest] = partsOf(reference);
  return kind === INSPECTION ? `bkg_${rest}` : null;
}
