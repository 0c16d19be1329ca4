/** A figure with its name and comparisons. */
export type FigureTile = readonly [name: string, value: string, ...notes: string[]];

/** Shows a row of figures. */
export function FigureTiles({
  tiles,
  meanings,
}: {
  tiles: readonly FigureTile[];
  /** Explanation of each figure, keyed by the figure's name. Shown on hover and read by screen readers. */
  meanings?: Readonly<Record<string, string>>;
}) {
  return (
    <dl className="cluster figures__total">
      {tiles.map(([name, value, ...notes]) => (
        <div key={name} title={meanings?.[name]}>
          <dt>{name}</dt>
          <dd className="figures__value">{value}</dd>
          {notes.map((note) => (
            <dd key={note} className="muted text-xs">
              {note}
            </dd>
          ))}
          {meanings?.[name] && <dd className="visually-hidden">{meanings?.[name]}</dd>}
        </div>
      ))}
    </dl>
  );
}
