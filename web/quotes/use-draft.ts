import { type RefObject, useEffect } from "react";

import { restoreDraft, saveDraft } from "./draft.ts";
import type { FormState } from "./post-form.ts";

/**
 * Saves and restores a request form's draft.
 * @param given the page's state; input returned by the server is newer than any draft
 * @param onRestored called once after a draft was restored
 * @returns a function to call after every change in the form
 */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  given: FormState,
  onRestored?: () => void,
): () => void {
  useEffect(() => {
    if (given.submissionId !== null) return;
    const filled = Object.keys(given.values).filter((name) => String(given.values[name]) !== "");
    if (restoreDraft(form.current!, filled)) onRestored?.();
    // Runs once, right after hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return () => saveDraft(form.current!);
}
