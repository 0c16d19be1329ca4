import { Fragment } from "react";

import { bearing, distanceKm } from "../../contract/distance.ts";
import { hasReliablePopulation, isLargestInRadius } from "../../contract/suburb-facts.ts";
import type { NearbySuburb, SuburbDetail } from "../../contract/suburbs.ts";
import { formatCount } from "../lib/format-count.ts";
import { Section } from "../site/section.tsx";
import { getAreaName } from "./council-area.ts";
import { formatDirection } from "./format-direction.ts";
import { locationsHref } from "./location-filter.ts";
import { getCouncilPlaces } from "../lib/council-links.ts";
import { SuburbBlades } from "./suburb-blades.tsx";

type Sized = { name: string; population: number };

function names(places: readonly Sized[]): string {
  const texts = places.map(({ name, population }) => `${name} (${formatCount(population)})`);
  return new Intl.ListFormat("en-AU").format(texts);
}

/** Compares populations nearby. It omits small populations, because the census adds random noise to small counts. */
function PopulationSummary({ suburb, nearby }: { suburb: SuburbDetail; nearby: readonly NearbySuburb[] }) {
  if (!hasReliablePopulation(suburb)) return null;
  const sized = nearby.filter(hasReliablePopulation).toSorted((a, b) => b.population - a.population);
  const larger = sized.filter(({ population }) => population > suburb.population);
  const smaller = sized.filter(({ population }) => population <= suburb.population);
  return (
    <p>
      {suburb.name} had {formatCount(suburb.population)} people at the 2016 census.{" "}
      {isLargestInRadius(suburb, nearby) &&
        "Nowhere within 30 km has more, so it’s the main town in the area.  "}
      {larger.length > 0 && `Bigger places nearby: ${names(larger)}. `}
      {smaller.length > 0 && `Smaller places nearby: ${names(smaller)}. `}
    </p>
  );
}

/** Shows the closest place and the neighbouring councils. */
function Borders({ suburb, nearby }: { suburb: SuburbDetail; nearby: readonly NearbySuburb[] }) {
  const across = nearby.filter(({ council }) => council !== suburb.council);
  const [nearest] = nearby;
  if (!nearest) return null;
  const byCouncil = Map.groupBy(across, ({ council }) => council);
  return (
    <p>
      The closest is {nearest.name}, {nearest.distanceKm.toFixed(1)} km to the{" "}
      {formatDirection(nearest.bearing)}.{" "}
      {across.length === 0
        ? `All the nearby suburbs are in ${getAreaName(suburb.council)}.`
        : [...byCouncil]
            .map(([council, places]) => {
              const list = new Intl.ListFormat("en-AU").format(places.map(({ name }) => name));
              return `${list} ${places.length === 1 ? "is" : "are"} in ${getAreaName(council)}.`;
            })
            .join(" ")}
    </p>
  );
}

/** Shows other places of the same council, at any distance. Some councils in the far west have no others. */
function SameCouncil({ suburb }: { suburb: SuburbDetail }) {
  const places = getCouncilPlaces(suburb.council, suburb.slug);
  if (places.length === 0) return null;
  return (
    <p>
      Also in {suburb.council}:{" "}
      {places.map(({ slug, name }, index) => (
        <Fragment key={slug}>
          {index > 0 && ", "}
          <a href={`/location/${slug}`}>{name}</a>
        </Fragment>
      ))}
      .
    </p>
  );
}

/** Centres of the state's three largest cities. */
const CITIES = [
  { name: "Sydney", latitude: -33.8688, longitude: 151.2093 },
  { name: "Newcastle", latitude: -32.9283, longitude: 151.7817 },
  { name: "Wollongong", latitude: -34.4278, longitude: 150.8931 },
] as const;

function Cities({ suburb }: { suburb: SuburbDetail }) {
  const parts = CITIES.flatMap((city) => {
    const km = distanceKm(city, suburb);
    // Skip the city itself.
    if (km < 1) return [];
    return `${km < 20 ? km.toFixed(1) : Math.round(km)} km ${formatDirection(bearing(city, suburb))} of ${city.name}`;
  });
  return (
    <p>
      As the crow flies, {suburb.name} is {new Intl.ListFormat("en-AU").format(parts)}.
    </p>
  );
}

/** Shows the places around a suburb, in any council, and compares them. */
export function SuburbNearby({ suburb, nearby }: { suburb: SuburbDetail; nearby: readonly NearbySuburb[] }) {
  if (nearby.length === 0) return null;
  return (
    <Section
      id="nearby"
      title={`Near ${suburb.name}`}
      aside={<a href={locationsHref({ council: suburb.council })}>All locations in {suburb.council}</a>}
      variant="sunken"
    >
      <SuburbBlades suburbs={nearby} />
      <div className="nearby-words">
        <PopulationSummary suburb={suburb} nearby={nearby} />
        <Cities suburb={suburb} />
        <Borders suburb={suburb} nearby={nearby} />
        <SameCouncil suburb={suburb} />
        <p className="note">
          Distances are in a straight line between the centres of suburbs. Population: Australian Bureau of
          Statistics, 2016 census.
        </p>
      </div>
    </Section>
  );
}
