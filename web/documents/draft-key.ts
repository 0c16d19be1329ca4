export type DraftKey = `draft ${string}`;

/** Returns the key under which a tab stores a page's unsent input. `document.ts` hydrates a form at once if it has one. */
export const draftKey = (path = location.pathname): DraftKey => `draft ${path}`;
