/** Suburbs as street-name blades: name, and postcode or distance. */
export function SuburbBlades({
  suburbs,
}: {
  suburbs: readonly { slug: string; name: string; postcode: string; distanceKm?: number }[];
}) {
  return (
    <ul className="blades">
      {suburbs.map((suburb) => (
        <li key={suburb.slug}>
          <a className="blade" href={`/location/${suburb.slug}`}>
            <strong>{suburb.name}</strong>
            <span>
              {suburb.postcode}
              {suburb.distanceKm !== undefined && ` · ${suburb.distanceKm.toFixed(1)} km`}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
