/** Links from a council's page, and from its places' pages, to others, so that every page is linked. */
import data from "../../data/council-links.json" with { type: "json" };

type Links = { near: string[]; places: string[][] };
type Place = { slug: string; name: string };

/** JSON has no pairs: each place is [slug, name], the largest first. */
const COUNCILS = data as Partial<Record<string, Links>>;

/** Places named per council: on its neighbours' pages, and on each page of its own places. */
const NAMED = 3;

const place = ([slug, name]: string[]): Place => ({ slug: slug!, name: name! });

/** Returns the councils around one, each with its largest places. */
export function councilsNear(council: string): { council: string; places: Place[] }[] {
  return (COUNCILS[council]?.near ?? []).map((name) => ({
    council: name,
    places: COUNCILS[name]!.places.slice(0, NAMED).map(place),
  }));
}

/**
 * Returns places of the same council: the next smaller ones, with the largest again after the smallest. So three others
 * name each place, however remote it is.
 */
export function placesOfCouncil(council: string, slug: string): Place[] {
  const places = COUNCILS[council]?.places ?? [];
  const at = places.findIndex(([other]) => other === slug);
  // A place without an indexable page links to the largest ones.
  const following = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))];
  return following.slice(0, NAMED).map(place);
}
