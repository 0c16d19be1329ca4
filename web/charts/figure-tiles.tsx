import "./figures.css";

/** A figure with its name and its comparisons. */
export type FigureTile = readonly [name: string, value: string, ...notes: string[]];

/** A row of figures. */
export function FigureTiles({
  tiles,
  meanings,
}: {
  tiles: readonly FigureTile[];
  /** What each figure counts, by its name: shown on hover, and read to screen reader users. */
  meanings?: Readonly<Record<string, string>>;
}) {
  return (
    <dl className="figures__total">
      {tiles.map(([name, value, ...notes]) => (
        <div key={name} title={meanings?.[name]}>
          <dt>{name}</dt>
          <dd className="figures__value">{value}</dd>
          {notes.map((note) => (
            <dd key={note} className="figures__note">
              {note}
            </dd>
          ))}
          {meanings?.[name] && <dd className="visually-hidden">{meanings?.[name]}</dd>}
        </div>
      ))}
    </dl>
  );
}
