import type { ReactNode } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import type { PublicReview } from "../../contract/reviews.ts";
import { SYDNEY } from "../../contract/sydney-time.ts";
import { Stars } from "./stars.tsx";

const monthFormat = new Intl.DateTimeFormat("en-AU", { timeZone: SYDNEY, month: "long", year: "numeric" });

/** Returns the number of hidden reviews in words. */
export function formatHidden(hidden: number): string {
  return `${hidden === 1 ? "One review is" : `${hidden} reviews are`} hidden because of our rules.`;
}

/** Shows the business's reply to a review. */
export function Reply({ children }: { children: string }) {
  return (
    <div className="review-list__reply">
      <p className="review-list__who">Reply from the provider</p>
      <p className="review-list__words" dir="auto">
        {children}
      </p>
    </div>
  );
}

/**
 * Shows reviews with the provider's replies.
 * @param after what to add below a review
 */
export function ReviewList<Review extends PublicReview>({
  reviews,
  after,
}: {
  reviews: readonly Review[];
  after?: (review: Review) => ReactNode;
}) {
  return (
    <ul className="review-list">
      {reviews.map((review) => (
        <li key={review.id}>
          <Stars stars={review.stars} />
          {review.words && (
            <p className="review-list__words" dir="auto">
              {review.words}
            </p>
          )}
          <p className="review-list__who">
            {[
              [review.name ?? "A customer", review.suburb].filter(Boolean).join(", "),
              serviceName(review.service),
              monthFormat.format(review.at),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {review.reply && <Reply>{review.reply}</Reply>}
          {after?.(review)}
        </li>
      ))}
    </ul>
  );
}
