/* Hold durations. Separate from `payments.ts` because the dashboard does not load its schemas. */

/** How long a buyer can hold a lead. */
export const HOLD_MINUTES = 5;
/** After releasing a lead, a business waits this long before it can hold the same lead. */
export const SAME_LEAD_WAIT_MINUTES = 10;
/** How long a buyer who is not verified and has never paid can hold a lead. Anyone can create such an account. */
export const NEWCOMER_HOLD_SECONDS = 90;
