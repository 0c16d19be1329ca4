import councilMap from "../../data/council-map.json";

type Box = { left: number; top: number; right: number; bottom: number };

const { nsw, sydney } = councilMap;

/** Returns the bounds of a council's outline. The outline is rings of relative points: "M9 4l2-1 3 5z". */
function boundsOf(path: string): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const ring of path.split("z")) {
    const numbers = (ring.match(/-?\d+/g) ?? []).map(Number);
    let [x, y] = [0, 0];
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      x += numbers[i]!;
      y += numbers[i + 1]!;
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}

/** Smallest height of the map, in units of the drawing, so that neighbours show around a small council. */
const MIN_HEIGHT = 90;
const WIDTH_TO_HEIGHT = 1.6;

/** Returns the part of a drawing around councils, in the map's proportions. */
function viewAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const height = Math.max((bottom - top) * 1.3, ((right - left) * 1.3) / WIDTH_TO_HEIGHT, MIN_HEIGHT);
  const width = height * WIDTH_TO_HEIGHT;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

const overlaps = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Shows a map of the councils in which a business works, with their neighbours. */
export default function AreaMap({ councils, name }: { councils: readonly string[]; name: string }) {
  const drawing = councils.every((council) => sydney.councils.some((one) => one.name === council))
    ? sydney
    : nsw;
  const drawn = drawing.councils.map((council) => ({
    ...council,
    isChosen: councils.includes(council.name),
    box: boundsOf(council.path),
  }));
  const chosen = drawn.filter(({ isChosen }) => isChosen);
  if (chosen.length === 0) return null;
  const view = viewAround(chosen.map(({ box }) => box));
  const round = Math.round;
  return (
    <svg
      className="profile__map"
      aria-label={`Map of the councils where ${name} works`}
      viewBox={`${round(view.left)} ${round(view.top)} ${round(view.right - view.left)} ${round(view.bottom - view.top)}`}
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
