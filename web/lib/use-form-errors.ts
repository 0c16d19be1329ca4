import { type FormEvent, useRef, useState } from "react";

import type { FieldErrors } from "../../contract/problem.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { Checked } from "./check-form.ts";

const NONE: FieldErrors = {};

/**
 * What every form of ours does, in islands and in the application: it is read, checked by its contract, says
 * by field what is wrong, and leads to the first wrong field.
 * @param given the errors the form came from the server with
 * @param otherwise what to do after a try when no field is wrong
 */
export function useFormErrors(given = NONE, otherwise?: (form: HTMLFormElement) => void) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(given);
  const focusError = useErrorFocus(ref, Object.keys(given).length > 0, otherwise);

  /** Says what is wrong after a try, ours or the server's. */
  function show(found: FieldErrors) {
    focusError();
    setErrors(found);
  }

  /** Says of one more field that it is wrong. */
  function add(name: string, error: string) {
    setErrors((shown) => ({ ...shown, [name]: error }));
  }

  /** Reads and checks the form. @returns its values; null when something is wrong with them, which is shown */
  function take<Values>(form: HTMLFormElement, check: (data: FormData) => Checked<Values>): Values | null {
    const checked = check(new FormData(form));
    show(checked.errors ?? {});
    return checked.values;
  }

  /** Takes a field's error away as soon as somebody mends it. */
  function clear(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement;
    if (!errors[name]) return;
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name)));
  }

  return { ref, errors, show, add, take, clear };
}
