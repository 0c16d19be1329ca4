/** Reviews: the customer of a bought lead reviews its buyer, once, on a page that only the link to their request opens. */
import * as z from "zod/mini";

import { requestTokenSchema } from "./request-links.ts";
import { maxCharacters, optionalText } from "./text-fields.ts";

/** The published rules by which an admin can hide a review. */
export const CHOSEN_RULES = ["abuse", "personal_data", "not_about_work", "own_review"] as const;
export type ChosenRule = (typeof CHOSEN_RULES)[number];

/** All published rules, in the order of the page "How reviews work". A free claim hides a review by itself. */
export const REVIEW_RULES = [...CHOSEN_RULES, "free_claim"] as const;
export type ReviewRule = (typeof REVIEW_RULES)[number];

export const REVIEW_RULE_LABELS: Readonly<Record<ReviewRule, string>> = {
  abuse: "It insults or threatens someone",
  personal_data: "It contains someone’s personal details",
  not_about_work: "It isn’t about this provider’s call, quote or work",
  own_review: "The provider, or someone close to them, wrote it",
  free_claim: "The provider got a free claim because the request was bad",
};

/** Days from the sale until the customer is asked, at the latest. */
export const REVIEW_AFTER_DAYS = 14;
/** Hours from the sale until the customer is asked, at the earliest. */
export const REVIEW_MIN_HOURS = 24;
/** Days in which the customer can write the review. */
export const REVIEW_OPEN_DAYS = 60;

export const MAX_REVIEW_LENGTH = 1_500;
export const MAX_REPLY_LENGTH = 1_000;

/** Reviews on one page of a provider's public list. */
export const REVIEWS_PER_PAGE = 10;

/** Returns a number of stars in words, such as "4 stars". */
export const formatStars = (stars: number) => `${stars} ${stars === 1 ? "star" : "stars"}`;

/** Body of POST /api/reviews. */
export const reviewFormSchema = z.object({
  token: requestTokenSchema,
  stars: z.coerce
    .number("Please choose one to five stars")
    .check(
      z.int("Please choose one to five stars"),
      z.minimum(1, "Please choose one to five stars"),
      z.maximum(5, "Please choose one to five stars"),
    ),
  words: optionalText(MAX_REVIEW_LENGTH),
});
export type ReviewForm = z.infer<typeof reviewFormSchema>;

/**
 * Response of POST /api/reviews. `own_business`: a person, browser or session of the reviewed business sent it.
 * `closed`: the link is unknown, the time is over, or a review was written before.
 */
export type ReviewAnswer = { outcome: "written" | "own_business" | "closed" };

/** Body of POST /api/reviews/{id}/reply. */
export const replySchema = z.object({
  reply: z
    .string("Please write a reply")
    .check(z.trim(), z.minLength(1, "Please write a reply"), maxCharacters(MAX_REPLY_LENGTH)),
});

/** Body of POST /api/super-admin/reviews/{id}. `rule`: hide it by this rule; null shows it. Both clear its flag. */
export const reviewDecisionSchema = z.object({
  rule: z.nullable(z.enum(CHOSEN_RULES, "Please choose a rule")),
});

/** A review as everyone sees it. */
export type PublicReview = {
  id: string;
  /** One to five. */
  stars: number;
  /** Null if the customer wrote none, or was erased. */
  words: string | null;
  /** The customer's first name and suburb; null after their erasure. */
  name: string | null;
  suburb: string | null;
  /** The first service of the request. */
  service: string;
  /** When it was written, epoch ms. After the customer's erasure only its month is right. */
  at: number;
  reply: string | null;
};

/** A page of a business's reviews, newest first. */
export type PublicReviews = {
  /** Mean of the stars of all shown reviews; null without one. */
  mean: number | null;
  /** Number of shown and of hidden reviews. */
  shown: number;
  hidden: number;
  reviews: PublicReview[];
};

/** Returns the mean and the number of reviews, such as "4.7 out of 5 from 37 reviews". */
export function formatMean({ mean, shown }: Pick<PublicReviews, "mean" | "shown">): string {
  if (mean === null) return "No reviews yet";
  return `${mean.toFixed(1)} out of 5 from ${shown === 1 ? "one review" : `${shown} reviews`}`;
}

/** A review on its customer's page. `isOpen`: the customer can write it. `hiddenRule`: why it is hidden. */
export type CustomerReview = Pick<PublicReview, "service" | "words" | "reply"> & {
  provider: string;
  isOpen: boolean;
  stars: number | null;
  hiddenRule: ReviewRule | null;
  /** Until when the customer can write it, epoch ms. */
  endsAt: number;
};

/** Response of GET /api/reviews. Null for an unknown link, and for a request without an invitation. */
export type ReviewPageAnswer = { review: CustomerReview | null };

/** A review as the reviewed business sees it. */
export type OwnReview = PublicReview & { createdAt: number; hiddenRule: ReviewRule | null };

/** Which reviews an admin lists. */
export const ADMIN_REVIEW_LISTS = ["flagged", "hidden", "all"] as const;
export type AdminReviewList = (typeof ADMIN_REVIEW_LISTS)[number];

/** A review as admins see it. `flag`: why it may be a provider's, such as `provider_network`. */
export type AdminReview = OwnReview & {
  businessId: string;
  businessName: string;
  leadId: string;
  purchaseId: string;
  flag: string | null;
};

/** Response of GET /api/reviews/totals: all reviews that were written, and how many are hidden by each rule. */
export type ReviewTotals = { written: number; hidden: Partial<Record<ReviewRule, number>> };
