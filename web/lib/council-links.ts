/** Links from each council's page and from its places' pages, so that every page has incoming links. */
import data from "../../data/council-links.json" with { type: "json" };

type Links = { near: string[]; places: string[][] };
type Place = { slug: string; name: string };

/** Each place is [slug, name], the largest first. JSON imports have no tuple types. */
const COUNCILS = data as Partial<Record<string, Links>>;

/** Number of places linked per council, on its neighbours' pages and on its own places' pages. */
const NAMED = 3;

const place = ([slug, name]: string[]): Place => ({ slug: slug!, name: name! });

/** Returns a council's neighbours, each with its largest places. */
export function findNearbyCouncils(council: string): { council: string; places: Place[] }[] {
  return (COUNCILS[council]?.near ?? []).map((name) => ({
    council: name,
    places: COUNCILS[name]!.places.slice(0, NAMED).map(place),
  }));
}

/**
 * Returns the next smaller places of the same council. After the smallest it continues with the largest. So three other
 * pages link to each place, however remote it is.
 */
export function getCouncilPlaces(council: string, slug: string): Place[] {
  const places = COUNCILS[council]?.places ?? [];
  const at = places.findIndex(([other]) => other === slug);
  // A place without an indexable page links to the largest ones.
  const following = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))];
  return following.slice(0, NAMED).map(place);
}

const neighboursOf = (council: string) => COUNCILS[council]?.near ?? [];

/** Returns a council, its neighbours and their neighbours, the nearest first. */
export function listCouncilsAround(council: string): string[] {
  const near = [council, ...neighboursOf(council)];
  return [...new Set([...near, ...near.flatMap(neighboursOf)])];
}
