import "./figures.css";

/** A figure with its name, and what it counts or is compared with. */
export type FigureTile = readonly [name: string, value: string, ...notes: string[]];

/** A few figures beside each other. */
export function FigureTiles({ tiles }: { tiles: readonly FigureTile[] }) {
  return (
    <dl className="figures__total">
      {tiles.map(([name, value, ...notes]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures__value">{value}</dd>
          {notes.map((note) => (
            <dd key={note} className="figures__note">
              {note}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
