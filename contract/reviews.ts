/** The published rules by which a review can be hidden. */
export const REVIEW_RULES = ["abuse", "personal_data", "not_about_work", "own_review"] as const;
export type ReviewRule = (typeof REVIEW_RULES)[number];
