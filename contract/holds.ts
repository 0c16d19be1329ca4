/* How long holds last, apart from the schemas in `payments.ts`, which the dashboard does not load. */

/** How long a lead is held for its buyer. */
export const HOLD_MINUTES = 5;
/** After releasing a lead, a business waits this long before it can hold the same lead. */
export const SAME_LEAD_WAIT_MINUTES = 10;
/** How long a lead is held for a buyer who is not verified and has never paid. Anyone can create such an account. */
export const NEWCOMER_HOLD_SECONDS = 90;
