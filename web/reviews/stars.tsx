import { formatStars } from "../../contract/reviews.ts";
import { Icon } from "../ui/icon.tsx";

/** Shows stars without words. */
export function StarRow({ stars }: { stars: number }) {
  return Array.from({ length: 5 }, (_, index) => (
    <Icon key={index} name="star" size={18} filled={index < stars} />
  ));
}

/** Shows stars, and says how many of five to screen readers. */
export function Stars({ stars }: { stars: number }) {
  return (
    <span className="stars">
      <span className="visually-hidden">{formatStars(stars)} out of 5</span>
      <StarRow stars={stars} />
    </span>
  );
}
