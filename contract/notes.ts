/** Limits of a provider's notes. Separate from purchases.ts, so that the dashboard's first load has no schema. */

/** Maximum length of a provider's notes about a purchase, in characters. */
export const NOTES_MAX = 20_000;

/** Debounce: notes are saved this long after typing stops. */
export const NOTES_AUTOSAVE_MS = 800;
