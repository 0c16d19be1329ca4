/**
 * Market regions. Each has one exchange. They come from the columns `region` and `region_name` of
 * `data/nsw-suburbs.csv`. A slug has up to forty lower-case letters and hyphens, because lead ids start with it.
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
  // Catch-all for leads whose address is in no known suburb.
  { slug: "nsw", name: "Elsewhere in NSW" },
] as const;

export type Region = (typeof REGIONS)[number]["slug"];

export const REGION_SLUGS = REGIONS.map((region) => region.slug) as [Region, ...Region[]];

/** Region of leads whose address is in no known suburb. */
export const CATCH_ALL_REGION: Region = "nsw";

/** Maximum regions that one browser follows live. The others are refreshed every 30 s. */
export const MAX_LIVE_REGIONS = 6;

const names = new Map<string, string>(REGIONS.map((region) => [region.slug, region.name]));

export function isRegion(value: string): value is Region {
  return names.has(value);
}

/** Returns a region's display name; the slug itself when unknown. */
export function regionName(slug: string): string {
  return names.get(slug) ?? slug;
}

/** A paused region, the reason, and the start of the pause (epoch ms). */
export type PausedRegion = { region: Region; reason: string; since: number };
