/** Ways from a council's page, and from its places' pages, to others: so that no page stands alone. */
import data from "../../data/council-links.json" with { type: "json" };

type Links = { near: string[]; places: string[][] };
type Place = { slug: string; name: string };

/** JSON knows no pairs: slug and name, the largest place first. */
const COUNCILS = data as Partial<Record<string, Links>>;

/** So many places stand for a council on its neighbours' pages, and so many of its own council on a place's page. */
const NAMED = 3;

const place = ([slug, name]: string[]): Place => ({ slug: slug!, name: name! });

/** The councils around one, each with its largest places. */
export function councilsNear(council: string): { council: string; places: Place[] }[] {
  return (COUNCILS[council]?.near ?? []).map((name) => ({
    council: name,
    places: COUNCILS[name]!.places.slice(0, NAMED).map(place),
  }));
}

/**
 * Places of the same council: those next in size below this one, and the largest again after the smallest. So each is
 * named by three others, however far off it lies.
 */
export function placesOfCouncil(council: string, slug: string): Place[] {
  const places = COUNCILS[council]?.places ?? [];
  const at = places.findIndex(([other]) => other === slug);
  // One that search engines do not list points to the largest.
  const following = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))];
  return following.slice(0, NAMED).map(place);
}
