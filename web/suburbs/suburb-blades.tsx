import { formatDirection } from "./format-direction.ts";

type Blade = {
  slug: string;
  name: string;
  postcode: string;
  distanceKm?: number;
  bearing?: number;
};

/** Shows suburbs as street-name blades. Neighbours show their distance and direction instead of the postcode. */
export function SuburbBlades({ suburbs }: { suburbs: readonly Blade[] }) {
  return (
    <ul className="blades">
      {suburbs.map(({ slug, name, postcode, distanceKm, bearing }) => (
        <li key={slug}>
          <a className="blade" href={`/location/${slug}`}>
            <strong>{name}</strong>
            <span>
              {distanceKm === undefined
                ? postcode
                : `${distanceKm.toFixed(1)}\u00A0km ${formatDirection(bearing ?? 0)}`}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
