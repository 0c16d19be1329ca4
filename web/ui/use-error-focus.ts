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
  otherwise?: () => void,
): () => void {
  const wanted = useRef(atFirst);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>(WRONG) ?? [])];
    const first = wrong.find((field) => !field.closest("[hidden]"));
    if (first) first.focus();
    else otherwise?.();
  });
  return () => {
    wanted.current = true;
  };
}
