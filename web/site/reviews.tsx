import { Icon } from "../ui/icon.tsx";
import { claim, type ClaimId, REVIEWS } from "./claims.ts";
import { Section } from "./section.tsx";

/**
 * Three reviews; nothing at all while they are hidden.
 * @param rating which rating stands beside them
 */
export function Reviews({ title, rating = "rating" }: { title: string; rating?: ClaimId }) {
  if (!claim("reviews")) return null;
  return (
    <Section id="reviews" title={title} aside={claim(rating)}>
      <ul className="grid grid--3">
        {REVIEWS.map((review) => (
          <li key={review.name}>
            <figure className="review">
              <span className="stars">
                <span className="visually-hidden">{review.rating} out of 5 stars</span>
                {Array.from({ length: review.rating }, (_, index) => (
                  <Icon key={index} name="star" size={18} filled />
                ))}
              </span>
              <blockquote>{review.text}</blockquote>
              <figcaption>
                <strong>{review.name}</strong>, {review.location}
                <span>
                  {review.service} · {review.timeframe}
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
