import type { FieldErrors } from "../../contract/problem.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";

/** What a page's action returns for a form that is not sent: the visitor's input, and what is wrong with it. */
export type FormState = {
  values: Record<string, unknown>;
  errors: FieldErrors;
  /** Why the form could not be sent; null if it was not tried, or if fields have errors. */
  failure: string | null;
  /** Makes a repeated request harmless. Only request forms that were posted have one. */
  submissionId?: string;
  /** Suggested suburbs if the address does not contain a known suburb. */
  suburbs?: readonly SuburbSuggestion[];
};

export const BLANK_FORM: FormState = { values: {}, errors: {}, failure: null };

/** The JSON response to an island if the page's action redirects. Otherwise the response is the form's state. */
export type NextPage = { to: string };

/** Returns whether an island posted the form. It gets the action's result as JSON instead of a page. */
export function isFromIsland({ method, headers }: Request): boolean {
  return method === "POST" && headers.get("Accept") === "application/json";
}
