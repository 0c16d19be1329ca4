import { type RefObject, useEffect, useRef } from "react";

const INVALID_SELECTOR = ':is([aria-invalid="true"], [data-invalid] input)';

/**
 * Focuses a form's first invalid field after a refused submit, and unfolds all of them. Does not move the focus while the user corrects fields.
 * @param form the form; fields in hidden fieldsets are skipped
 * @param hasInitialErrors whether the server rendered the form with errors
 * @param onNoFieldError called if no field is invalid
 * @returns a function to call when setting the errors
 */
export function useErrorFocus(
  form: RefObject<HTMLFormElement | null>,
  hasInitialErrors: boolean,
  onNoFieldError?: (form: HTMLFormElement) => void,
): () => void {
  const wanted = useRef<"at first" | "after a try" | null>(hasInitialErrors ? "at first" : null);
  useEffect(() => {
    const why = wanted.current;
    if (!why) return;
    wanted.current = null;
    // Keep the focus if the user is already typing in the form.
    if (why === "at first" && form.current?.contains(document.activeElement)) return;
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>(INVALID_SELECTOR) ?? [])];
    const first = wrong.find((field) => !field.closest("[hidden]"));
    for (const field of wrong) {
      const folded = field.closest("details");
      if (folded) folded.open = true;
    }
    if (first) first.focus();
    else if (form.current) onNoFieldError?.(form.current);
  });
  return () => {
    wanted.current = "after a try";
  };
}
