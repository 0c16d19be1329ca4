import { type FormEvent, useRef, useState } from "react";

import type { FieldErrors } from "../../contract/problem.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { Checked } from "./check-form.ts";

const NONE: FieldErrors = {};

/**
 * Shared by all forms, in islands and in the application. Reads and validates the form, shows errors by field, and
 * focuses the first wrong field.
 * @param given errors the server rendered
 * @param otherwise called after an attempt when no field is wrong
 */
export function useFormErrors(given = NONE, otherwise?: (form: HTMLFormElement) => void) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(given);
  const focusError = useErrorFocus(ref, Object.keys(given).length > 0, otherwise);

  /** Shows errors after an attempt, ours or the server's. */
  function show(found: FieldErrors) {
    focusError();
    setErrors(found);
  }

  /** Says of one more field that it is wrong. */
  function add(name: string, error: string) {
    setErrors((shown) => ({ ...shown, [name]: error }));
  }

  /** Reads and validates the form. @returns its values; null when there are errors, which are shown */
  function take<Values>(form: HTMLFormElement, check: (data: FormData) => Checked<Values>): Values | null {
    const checked = check(new FormData(form));
    show(checked.errors ?? {});
    return checked.values;
  }

  /** Clears a field's error as soon as the user edits it. */
  function clear(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement;
    if (!errors[name]) return;
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name)));
  }

  return { ref, errors, show, add, take, clear };
}
