/** Regions of the shared product for tests that need a market without other tests' leads. */
import { regionName, type Region } from "../../contract/regions.ts";

/** One suburb of each region. Tests use the inner west by default, so it is never unused. */
const SUBURBS = {
  blacktown: "Blacktown NSW 2148",
  "central-coast": "Gosford NSW 2250",
  "hills-and-hawkesbury": "Castle Hill NSW 2154",
  "illawarra-and-shoalhaven": "Wollongong NSW 2500",
  "liverpool-and-fairfield": "Liverpool NSW 2170",
  macarthur: "Campbelltown NSW 2560",
  "newcastle-and-hunter": "Newcastle NSW 2300",
  "north-shore-and-ryde": "Ryde NSW 2112",
  "northern-beaches": "Manly NSW 2095",
  parramatta: "Parramatta NSW 2150",
  "penrith-and-blue-mountains": "Penrith NSW 2750",
  "riverina-and-murray": "Wagga Wagga NSW 2650",
  "sutherland-shire": "Cronulla NSW 2230",
} as const satisfies Partial<Record<Region, string>>;

type OwnRegion = { slug: Region; name: string; suburb: string; address: string };

const left = Object.entries(SUBURBS) as [keyof typeof SUBURBS, string][];

/** Returns a region that no other test of this process gets. @throws Error if none is left */
export function takeRegion(): OwnRegion {
  const next = left.shift();
  if (!next) throw new Error("Every region is taken: add a suburb of another one to this list.");
  const [slug, place] = next;
  const suburb = place.replace(/ NSW \d{4}$/, "");
  return { slug, name: regionName(slug), suburb, address: `4 Main Street, ${place}` };
}
