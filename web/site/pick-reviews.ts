import type { PageServiceId } from "../../contract/catalogue.ts";
import { distanceKm } from "../../contract/distance.ts";
import { type Review, REVIEWS } from "./claims.ts";

/** Number of nearest reviews on a suburb's page. */
const NEAREST_COUNT = 2;

/** Do not show distances above this, in km. */
const MAX_SHOWN_DISTANCE_KM = 60;

/** A review with its distance, or null if the distance is not worth showing. */
export type PickedReview = Review & { kmAway: number | null };

/** Returns all reviews, starting with those of the given service. */
export function listReviewsFor(service?: PageServiceId): PickedReview[] {
  const isForService = ({ pages }: Review) => service !== undefined && pages.includes(service);
  return REVIEWS.toSorted((a, b) => Number(isForService(b)) - Number(isForService(a))).map((review) => ({
    ...review,
    kmAway: null,
  }));
}

/** Returns the reviews nearest to a place, nearest first. */
export function findReviewsNear(place: { latitude: number; longitude: number }): PickedReview[] {
  return REVIEWS.map((review) => ({ review, km: distanceKm(place, review) }))
    .toSorted((a, b) => a.km - b.km)
    .slice(0, NEAREST_COUNT)
    .map(({ review, km }) => ({
      ...review,
      kmAway: km >= 1 && km <= MAX_SHOWN_DISTANCE_KM ? Math.round(km) : null,
    }));
}
