import { hasReliablePopulation } from "../../contract/suburb-facts.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatDirection } from "./format-direction.ts";

type Blade = {
  slug: string;
  name: string;
  postcode: string;
  distanceKm?: number;
  bearing?: number;
  population?: number;
};

/** Shows suburbs as street-name blades. Neighbours also show distance, direction and population. */
export function SuburbBlades({ suburbs }: { suburbs: readonly Blade[] }) {
  return (
    <ul className="blades">
      {suburbs.map(({ slug, name, postcode, distanceKm, bearing, population }) => (
        <li key={slug}>
          <a className="blade" href={`/location/${slug}`}>
            <strong>{name}</strong>
            <span>
              {distanceKm === undefined
                ? postcode
                : `${distanceKm.toFixed(1)} km ${formatDirection(bearing ?? 0)}`}
            </span>
            {population !== undefined && (
              <span className="blade__more">
                {hasReliablePopulation({ population })
                  ? `${postcode} · ${formatCount(population)} people`
                  : postcode}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
