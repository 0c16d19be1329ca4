import { Icon, type IconName } from "../ui/icon.tsx";

/** A selling point. */
export type Point = { icon: IconName; title: string; text: string };

/** Shows small selling points in a row near the top of a page. */
export function Benefits({ points }: { points: readonly Point[] }) {
  return (
    <ul className="wrap benefits">
      {points.map((point) => (
        <li key={point.title}>
          <Icon name={point.icon} size={26} />
          <span>
            <strong>{point.title}</strong>
            {point.text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Shows selling points under a heading. */
export function Reasons({ points }: { points: readonly Point[] }) {
  return (
    <ul className={`grid grid--${points.length === 4 ? 4 : 3} reasons`}>
      {points.map((point) => (
        <li key={point.title}>
          <Icon name={point.icon} size={32} />
          <h3>{point.title}</h3>
          <p>{point.text}</p>
        </li>
      ))}
    </ul>
  );
}

/** Shows short points, each with a tick. */
export function Ticks({ items }: { items: readonly string[] }) {
  return (
    <ul className="ticks">
      {items.map((item) => (
        <li key={item}>
          <Icon name="check" />
          {item}
        </li>
      ))}
    </ul>
  );
}

/** Shows a promise and its parts on a lawn-coloured background. */
export function PromiseBlock({
  id,
  title,
  text,
  items,
}: {
  id: string;
  title: string;
  text: string;
  items: readonly string[];
}) {
  return (
    <div className="guarantee">
      <div>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      <Ticks items={items} />
    </div>
  );
}
