/** The published rules by which a business gets a free claim for a bought lead. */
export const GUARANTEE_RULES = [
  "wrong_number",
  "withdrawn",
  "never_asked",
  "no_answer",
  "dud_report",
] as const;
export type GuaranteeRule = (typeof GUARANTEE_RULES)[number];

/**
 * `asked`: the customer has 48 hours to contradict. `capped`: a person decides, because the business is over its share
 * of credits. `contested`: a person decides once more. `revoked`: the purchase was quoted or booked after all.
 */
export const GUARANTEE_STATES = ["asked", "granted", "capped", "contested", "refused", "revoked"] as const;
export type GuaranteeState = (typeof GUARANTEE_STATES)[number];
