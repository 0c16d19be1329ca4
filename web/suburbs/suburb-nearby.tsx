import { Fragment } from "react";

import { findNeighbours, hasReliablePopulation, isLargestInRadius } from "../../contract/suburb-facts.ts";
import type { NearbySuburb, SuburbDetail } from "../../contract/suburbs.ts";
import { formatCount } from "../lib/format-count.ts";
import { Section } from "../site/section.tsx";
import { locationsHref } from "./location-filter.ts";
import { getCouncilPlaces } from "../lib/council-links.ts";
import { SuburbBlades } from "./suburb-blades.tsx";

/** Says how many people live here. It omits small populations, because the census adds random noise to small counts. */
function PopulationSummary({ suburb, isMainTown }: { suburb: SuburbDetail; isMainTown: boolean }) {
  if (!hasReliablePopulation(suburb)) return null;
  return (
    <p>
      {suburb.name} had {formatCount(suburb.population)} people at the 2021 Census (Australian Bureau of
      Statistics).
      {isMainTown && " Nowhere within 30\u00A0km has more people, so it’s the main town in the area."}
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

/**
 * Shows the places around a suburb, in any council.
 * @param nearby the nearest places, at any distance
 */
export function SuburbNearby({ suburb, nearby }: { suburb: SuburbDetail; nearby: readonly NearbySuburb[] }) {
  const neighbours = findNeighbours(nearby);
  return (
    <Section id="nearby" title={`Near ${suburb.name}`} variant="sunken">
      {neighbours.length > 0 && <SuburbBlades suburbs={neighbours} />}
      <div className="nearby-words">
        <PopulationSummary suburb={suburb} isMainTown={isLargestInRadius(suburb, nearby)} />
        <SameCouncil suburb={suburb} />
        <p>
          <a href={locationsHref({ council: suburb.council })}>All locations in {suburb.council}</a>
        </p>
      </div>
    </Section>
  );
}
