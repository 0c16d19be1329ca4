/** Limits of a provider's notes. Kept out of purchases.ts so that the dashboard's initial bundle does not include the schemas. */

/** Maximum length of a provider's notes about a purchase, in characters. */
export const NOTES_MAX = 20_000;

/** Debounce: notes are saved this long after typing stops. */
export const NOTES_AUTOSAVE_MS = 800;
