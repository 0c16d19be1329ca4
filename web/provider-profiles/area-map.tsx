import { boxOfOutline, chooseDrawing, formatView, overlaps, viewAround } from "../lib/council-outlines.ts";

/** Shows a map of the councils in which a business works, with their neighbours. */
export default function AreaMap({ councils, name }: { councils: readonly string[]; name: string }) {
  const drawn = chooseDrawing(councils).councils.map((council) => ({
    ...council,
    isChosen: councils.includes(council.name),
    box: boxOfOutline(council.path),
  }));
  const chosen = drawn.filter(({ isChosen }) => isChosen);
  if (chosen.length === 0) return null;
  const view = viewAround(chosen.map(({ box }) => box));
  return (
    <svg
      className="profile__map"
      aria-label={`Map of the councils where ${name} works`}
      viewBox={formatView(view)}
    >
      {drawn
        .filter(({ box }) => overlaps(box, view))
        .toSorted((a, b) => Number(a.isChosen) - Number(b.isChosen))
        .map(({ name: council, path, isChosen }) => (
          <path key={council} d={path} className={isChosen ? "is-chosen" : undefined}>
            <title>{council}</title>
          </path>
        ))}
    </svg>
  );
}
