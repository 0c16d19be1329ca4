import { type RefObject, useEffect, useRef } from "react";

const WRONG = ':is([aria-invalid="true"], [data-invalid] input)';

/**
 * Moves the focus to a form's first wrong field after a refused try, and only then: not while the person
 * mends one field after the other.
 * @param form the form; fields in hidden fieldsets are passed over
 * @param atFirst whether the form came from the server with errors
 * @param otherwise what to do when no field is wrong
 * @returns call it together with setting the errors
 */
export function useErrorFocus(
  form: RefObject<HTMLFormElement | null>,
  atFirst: boolean,
  otherwise?: (form: HTMLFormElement) => void,
): () => void {
  const wanted = useRef<"at first" | "after a try" | null>(atFirst ? "at first" : null);
  useEffect(() => {
    const why = wanted.current;
    if (!why) return;
    wanted.current = null;
    // Somebody was quicker than this script and is typing already: leave them where they are.
    if (why === "at first" && form.current?.contains(document.activeElement)) return;
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>(WRONG) ?? [])];
    const first = wrong.find((field) => !field.closest("[hidden]"));
    const folded = first?.closest("details");
    if (folded) folded.open = true;
    if (first) first.focus();
    else if (form.current) otherwise?.(form.current);
  });
  return () => {
    wanted.current = "after a try";
  };
}
