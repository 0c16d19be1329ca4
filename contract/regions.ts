/**
 * Regions in which leads are traded; each has one exchange. Taken from `data/nsw-suburbs.csv`, whose columns
 * `region` and `region_name` say the same. A slug is of small letters and hyphens, forty at most: lead ids begin with it.
 */
export const REGIONS = [
  { slug: "blacktown", name: "Blacktown" },
  { slug: "canterbury-bankstown-and-st-george", name: "Canterbury-Bankstown & St George" },
  { slug: "capital-region-and-south-coast", name: "Capital Region & South Coast" },
  { slug: "central-and-far-west", name: "Central & Far West" },
  { slug: "central-coast", name: "Central Coast" },
  { slug: "hills-and-hawkesbury", name: "Hills & Hawkesbury" },
  { slug: "illawarra-and-shoalhaven", name: "Illawarra & Shoalhaven" },
  { slug: "inner-west", name: "Inner West" },
  { slug: "liverpool-and-fairfield", name: "Liverpool & Fairfield" },
  { slug: "macarthur", name: "Macarthur" },
  { slug: "new-england-and-north-west", name: "New England & North West" },
  { slug: "newcastle-and-hunter", name: "Newcastle & Hunter" },
  { slug: "north-coast", name: "North Coast" },
  { slug: "north-shore-and-ryde", name: "North Shore & Ryde" },
  { slug: "northern-beaches", name: "Northern Beaches" },
  { slug: "parramatta", name: "Parramatta" },
  { slug: "penrith-and-blue-mountains", name: "Penrith & Blue Mountains" },
  { slug: "riverina-and-murray", name: "Riverina & Murray" },
  { slug: "sutherland-shire", name: "Sutherland Shire" },
  { slug: "sydney-city-and-east", name: "Sydney City & East" },
  // An address that fits no suburb is traded here, so that no request is ever lost.
  { slug: "nsw", name: "Elsewhere in NSW" },
] as const;

export type Region = (typeof REGIONS)[number]["slug"];

export const REGION_SLUGS = REGIONS.map((region) => region.slug) as [Region, ...Region[]];

/** The region after this one, for work that goes through all of them in turn; null behind the last. */
export function regionAfter(region: Region): Region | null {
  return REGION_SLUGS[REGION_SLUGS.indexOf(region) + 1] ?? null;
}

/** Region of a lead whose address fits no suburb. */
export const CATCH_ALL_REGION: Region = "nsw";

/** How many regions one browser follows live; the others are refreshed every 30 s. */
export const MAX_LIVE_REGIONS = 6;

const names = new Map<string, string>(REGIONS.map((region) => [region.slug, region.name]));

/** Whether a text from outside names a region. */
export function isRegion(value: string): value is Region {
  return names.has(value);
}

/** The name people read, for a region's slug; the slug itself when it is unknown. */
export function regionName(slug: string): string {
  return names.get(slug) ?? slug;
}

/** A region that is off the market for a while, why, and since when (epoch ms). */
export type PausedRegion = { region: Region; reason: string; since: number };
