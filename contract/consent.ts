/** The wordings above the submit button, which say who receives a customer's details. */

/** The wording that the forms show now. If you change its text in `web/quotes/consent-line.tsx`, change this id. */
export const CONSENT_WORDING = "one-at-a-time-2026-11-25";

/**
 * Wordings that allow a rescue, which passes a request on to another provider when its buyer does not call. Under older
 * wordings, customers agreed to one provider only.
 */
export const RESCUE_CONSENTS: ReadonlySet<string> = new Set([CONSENT_WORDING]);
