import councilMap from "../../data/council-map.json";
import type { SuburbListItem } from "../../contract/suburbs.ts";
import { locationsHref } from "./location-filter.ts";

type Drawing = (typeof councilMap)["nsw"];
type Dot = Pick<SuburbListItem, "slug" | "name" | "latitude" | "longitude">;

const { nsw, sydney } = councilMap;

function isInSydney({ latitude, longitude }: Dot): boolean {
  return (
    longitude > sydney.west && longitude < sydney.east && latitude < sydney.north && latitude > sydney.south
  );
}

/** Returns a point's coordinates in a drawing. */
function project(drawing: Drawing, { latitude, longitude }: Pick<Dot, "latitude" | "longitude">) {
  return {
    x: Math.round(((longitude - drawing.west) / (drawing.east - drawing.west)) * drawing.width),
    y: Math.round(((drawing.north - latitude) / (drawing.north - drawing.south)) * drawing.height),
  };
}

/** Shows one map: councils are links, suburbs are dots. Names appear on hover and focus, without script. */
function Drawn({
  drawing,
  label,
  dots,
  counts,
  council,
  children,
}: {
  drawing: Drawing;
  label: string;
  dots: readonly Dot[];
  counts: ReadonlyMap<string, number>;
  council: string;
  children?: React.ReactNode;
}) {
  return (
    <svg viewBox={`0 0 ${drawing.width} ${drawing.height}`} aria-label={label} className="map__drawing">
      {drawing.councils.map(({ name, path }) => {
        const count = counts.get(name);
        if (!count) return <path key={name} d={path} />;
        return (
          <a
            key={name}
            href={`${locationsHref({ council: name })}#results`}
            data-on={name === council || undefined}
          >
            <path d={path} />
            <text>
              {name}: {count === 1 ? "1 suburb" : `${count} suburbs`}
            </text>
          </a>
        );
      })}
      {children}
      {/* Keyboards and screen readers use the same links in the list below. */}
      <g aria-hidden="true">
        {dots.map((dot) => {
          const { x, y } = project(drawing, dot);
          return (
            <a key={dot.slug} href={`/location/${dot.slug}`} tabIndex={-1}>
              <circle cx={x} cy={y} />
              <text>{dot.name}</text>
            </a>
          );
        })}
      </g>
    </svg>
  );
}

/**
 * Shows maps of New South Wales and of Greater Sydney.
 * @param suburbs the suburbs that match the query; each is a dot
 * @param counts total suburbs in each council area
 * @param council the chosen council, or empty
 */
export function LocationMap({
  suburbs,
  counts,
  council,
}: {
  suburbs: readonly Dot[];
  counts: ReadonlyMap<string, number>;
  council: string;
}) {
  const chosen = council.toLowerCase();
  const on = [...counts.keys()].find((name) => name.toLowerCase() === chosen) ?? "";
  const corner = project(nsw, { latitude: sydney.north, longitude: sydney.west });
  const opposite = project(nsw, { latitude: sydney.south, longitude: sydney.east });
  return (
    <section className="map" aria-labelledby="map-title">
      <div className="section__head">
        <h2 id="map-title">On the map</h2>
        <p>
          Pick a council or a dot. <a href="#results">Skip the map</a>
        </p>
      </div>
      <div className="map__sheets">
        <figure>
          <Drawn
            drawing={nsw}
            label="Councils of New South Wales"
            dots={suburbs.filter((suburb) => !isInSydney(suburb))}
            counts={counts}
            council={on}
          >
            <a href="#map-sydney" className="map__frame">
              <rect x={corner.x} y={corner.y} width={opposite.x - corner.x} height={opposite.y - corner.y} />
              <text>Greater Sydney</text>
            </a>
          </Drawn>
          <figcaption>New South Wales</figcaption>
        </figure>
        <figure id="map-sydney" className="map__sydney">
          <Drawn
            drawing={sydney}
            label="Councils of Greater Sydney"
            dots={suburbs.filter(isInSydney)}
            counts={counts}
            council={on}
          />
          <figcaption>Greater Sydney</figcaption>
        </figure>
      </div>
    </section>
  );
}
