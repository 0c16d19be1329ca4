import { Icon } from "../ui/icon.tsx";
import type { ClaimId } from "./claims.ts";
import { type PickedReview, listReviewsFor } from "./pick-reviews.ts";
import { Section } from "./section.tsx";
import { useClaims } from "./site-claims.ts";

/**
 * Shows customer reviews. Renders nothing while reviews are hidden.
 * @param reviews the reviews, in order; all of them when omitted
 * @param rating the rating beside them
 */
export function Reviews({
  title,
  reviews = listReviewsFor(),
  rating = "rating",
}: {
  title: string;
  reviews?: readonly PickedReview[];
  rating?: ClaimId;
}) {
  const claims = useClaims();
  if (!claims.reviews) return null;
  return (
    <Section id="reviews" title={title} aside={claims[rating]}>
      <ul className={`grid grid--${reviews.length}`}>
        {reviews.map((review) => (
          <li key={review.name}>
            <figure className="review">
              <span className="stars">
                <span className="visually-hidden">{`${review.rating} out of 5 stars`}</span>
                {Array.from({ length: review.rating }, (_, index) => (
                  <Icon key={index} name="star" size={18} filled />
                ))}
              </span>
              <blockquote>{review.text}</blockquote>
              <figcaption>
                <strong>{review.name}</strong>, {review.location}
                {review.kmAway !== null && ` (${review.kmAway} km from here)`}
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
