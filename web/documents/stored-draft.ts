import { storedText } from "../lib/stored-text.ts";

export type DraftKey = `draft ${string}`;

/** Returns a page's unsent input, which a tab stores. `document.ts` hydrates a form at once if it has one. */
export const storedDraft = (path = location.pathname) =>
  storedText("session", `draft ${path}` satisfies DraftKey);
