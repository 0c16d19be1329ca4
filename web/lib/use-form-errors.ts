import { type FormEvent, useRef, useState } from "react";

import type { FieldErrors } from "../../contract/problem.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { Checked } from "./check-form.ts";

const NONE: FieldErrors = {};

/**
 * Reads and validates a form, shows errors by field, and focuses the first wrong field. Used by all forms, in islands
 * and in the application.
 * @param given errors that the server rendered
 * @param onNoFieldError called after an attempt if no field is wrong
 */
export function useFormErrors(given = NONE, onNoFieldError?: (form: HTMLFormElement) => void) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(given);
  const focusError = useErrorFocus(ref, Object.keys(given).length > 0, onNoFieldError);

  /** Shows the errors of an attempt, from this form or from the server. */
  function show(found: FieldErrors) {
    focusError();
    setErrors(found);
  }

  /** Reads and validates the form, and shows any errors. @returns the values; null if there are errors */
  function validate<Values>(
    form: HTMLFormElement,
    check: (data: FormData) => Checked<Values>,
  ): Values | null {
    const checked = check(new FormData(form));
    show(checked.errors ?? {});
    return checked.values;
  }

  function clearError(name: string) {
    setErrors((shown) =>
      shown[name] ? Object.fromEntries(Object.entries(shown).filter(([field]) => field !== name)) : shown,
    );
  }

  /** Clears a field's error as soon as the user edits it. */
  const clear = ({ target }: FormEvent<HTMLFormElement>) => clearError((target as HTMLInputElement).name);

  return { ref, errors, show, validate, clear, clearError };
}
