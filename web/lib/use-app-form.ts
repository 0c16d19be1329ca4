import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type * as z from "zod/mini";

import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { ApiError } from "./api.ts";

/**
 * A form of the application: checked by its contract first, then sent. The server's messages by field join
 * the form's own, and the focus goes to the first wrong field.
 * @param schema what the form must satisfy; it gets the fields by name, `lists` as lists
 * @param send sends the checked values
 * @returns what to put on the form, messages by field, and whether it is on its way
 */
export function useAppForm<Schema extends z.ZodMiniType, Answer>({
  schema,
  lists,
  read = (values) => values,
  send,
  onSuccess,
  onError,
}: {
  schema: Schema;
  lists?: readonly string[];
  /** Turns the form's fields into what the schema expects, where the two differ. */
  read?: (values: Record<string, unknown>) => Record<string, unknown>;
  send: (values: z.output<Schema>) => Promise<Answer>;
  onSuccess: (answer: Answer, form: HTMLFormElement) => void;
  onError: (error: Error) => void;
}) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const focusError = useErrorFocus(ref, false);
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (answer) => onSuccess(answer, ref.current!),
    onError: (error) => {
      focusError();
      setErrors(error instanceof ApiError ? (error.problem?.errors ?? {}) : {});
      onError(error);
    },
  });
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const values = formToObject(new FormData(event.currentTarget), lists ? { lists } : {});
    const checked = schema.safeParse(read(values));
    focusError();
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues));
    if (checked.success) mutation.mutate(checked.data);
  };
  return {
    formProps: { ref, onSubmit: submit, noValidate: true },
    errors,
    isBusy: mutation.isPending,
  };
}
