import { placeKey, startKey } from "../../contract/place-names.ts";
import { toPlainLine } from "../../contract/names.ts";
import type { SuburbListItem } from "../../contract/suburbs.ts";

export const VIEWS = ["council", "alphabetical"] as const;
export type View = (typeof VIEWS)[number];

/** The query of the locations page. All of it is in the URL. */
export type LocationQuery = {
  search: string;
  /** "NSW", or empty for all states. */
  state: string;
  /** A council's full name, or empty for all councils. */
  council: string;
  view: View;
};

const SEARCH_MAX = 100;

export function readLocationQuery(parameters: URLSearchParams): LocationQuery {
  const read = (name: string) =>
    toPlainLine(parameters.get(name) ?? "")
      .trim()
      .slice(0, SEARCH_MAX);
  const chosen = (name: string) => {
    const value = read(name);
    return value.toLowerCase() === "all" ? "" : value;
  };
  return {
    search: read("search"),
    state: chosen("state").toUpperCase(),
    council: chosen("council"),
    view: VIEWS.find((view) => view === parameters.get("view")) ?? "council",
  };
}

/** Returns the page's URL for a query. It omits default values. */
export function locationsHref(query: Partial<LocationQuery>): string {
  const parameters = new URLSearchParams();
  if (query.search) parameters.set("search", query.search);
  if (query.state) parameters.set("state", query.state);
  if (query.council) parameters.set("council", query.council);
  if (query.view && query.view !== "council") parameters.set("view", query.view);
  const text = parameters.toString();
  return text ? `/locations?${text}` : "/locations";
}

/** Removes the words of a council's full name that people leave out. */
const shortName = (council: string) =>
  placeKey(council)
    .replace(/^(?:the )?(?:city|council|shire|municipality) of /, "")
    .replace(/(?: (?:city|shire|regional|municipal))? council$/, "");

/** Returns the full name of a council, given in full, in short or as a slug, such as "Parramatta"; undefined if it is unknown. */
export function findCouncil(wanted: string, councils: readonly string[]): string | undefined {
  const short = shortName(wanted);
  return (
    councils.find((council) => placeKey(council) === placeKey(wanted)) ??
    councils.find((council) => shortName(council) === short)
  );
}

/** Returns the suburbs that match the filters and have the search text in their name, postcode or council. */
export function matchLocations<Item extends Pick<SuburbListItem, "name" | "postcode" | "council" | "state">>(
  suburbs: readonly Item[],
  { search, state, council }: LocationQuery,
): Item[] {
  const wanted = startKey(search);
  return suburbs.filter(
    (suburb) =>
      (!state || suburb.state === state) &&
      (!council || suburb.council === council) &&
      // Signs alone find nothing.
      (!search ||
        (wanted !== "" &&
          [suburb.name, suburb.postcode, suburb.council].some((text) => placeKey(text).includes(wanted)))),
  );
}

export type LocationGroup<Item> = { title: string; suburbs: Item[] };

const byName = (a: string, b: string) => a.localeCompare(b, "en-AU");

/**
 * Groups suburbs by council or by first letter, and sorts the groups. Suburbs of a council keep their order, those of a
 * letter are sorted by name.
 */
export function groupLocations<Item extends Pick<SuburbListItem, "name" | "council">>(
  suburbs: readonly Item[],
  view: View,
): LocationGroup<Item>[] {
  const isByLetter = view === "alphabetical";
  const sorted = isByLetter ? suburbs.toSorted((a, b) => byName(a.name, b.name)) : suburbs;
  const groups = Map.groupBy(sorted, ({ name, council }) =>
    isByLetter ? name.charAt(0).toUpperCase() : council,
  );
  return [...groups]
    .map(([title, members]) => ({ title, suburbs: members }))
    .toSorted((a, b) => byName(a.title, b.title));
}
