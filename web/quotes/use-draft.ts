import { type RefObject, useEffect } from "react";

import { restoreDraft, saveDraft } from "./draft.ts";
import type { FormState } from "./post-form.ts";

/**
 * Keeps a request form's draft.
 * @param given what the page came with. What the server sent back is newer than any draft
 * @param onRestored called once, when something was put back
 * @returns call it whenever something in the form has changed
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
    // Once, right after the form has come alive.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return () => saveDraft(form.current!);
}
