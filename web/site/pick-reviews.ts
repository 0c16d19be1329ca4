import type { PageServiceId } from "../../contract/catalogue.ts";
import { distanceKm } from "../../contract/distance.ts";
import { type Review, REVIEWS } from "./claims.ts";

/** Number of nearest reviews on a suburb's page. */
const NEAREST = 2;

/** Do not show distances above this, in km. */
const WORTH_SAYING_KM = 60;

/** A review with its distance, or null if the distance is not worth showing. */
export type PickedReview = Review & { kmAway: number | null };

/** Returns all reviews, starting with those of the given service. */
export function reviewsOn(service?: PageServiceId): PickedReview[] {
  const isOn = ({ pages }: Review) => service !== undefined && pages.includes(service);
  return REVIEWS.toSorted((a, b) => Number(isOn(b)) - Number(isOn(a))).map((review) => ({
    ...review,
    kmAway: null,
  }));
}

/** Returns the reviews nearest to a place, nearest first. */
export function reviewsNear(place: { latitude: number; longitude: number }): PickedReview[] {
  return REVIEWS.map((review) => ({ review, km: distanceKm(place, review) }))
    .toSorted((a, b) => a.km - b.km)
    .slice(0, NEAREST)
    .map(({ review, km }) => ({
      ...review,
      kmAway: km >= 1 && km <= WORTH_SAYING_KM ? Math.round(km) : null,
    }));
}
