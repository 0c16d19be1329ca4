import { useMutation } from "@tanstack/react-query";
import type * as z from "zod/mini";

import { formToObject } from "../../contract/forms.ts";
import { ApiError } from "./api.ts";
import { checkForm } from "./check-form.ts";
import type { MutationEffects } from "./query-client.ts";
import { useFormErrors } from "./use-form-errors.ts";

/**
 * Manages a form of the application. Validates it with a schema and sends it. Shows errors by field, both local ones
 * and the server's, and focuses the first wrong field.
 * @param schema the form's schema; it receives fields by name, `lists` as lists
 * @param send sends the validated values
 * @returns props for `Form`, errors by field, and whether the form is being sent
 */
export function useAppForm<Schema extends z.ZodMiniType, Answer>({
  schema,
  lists,
  read = (values) => values,
  send,
  meta,
  onSuccess,
  onError,
}: {
  schema: Schema;
  lists?: readonly string[];
  /** Converts the form's fields to the schema's input if the two differ. */
  read?: (values: Record<string, unknown>) => Record<string, unknown>;
  send: (values: z.output<Schema>) => Promise<Answer>;
  /** The toasts to show and the queries to reload. */
  meta?: MutationEffects;
  onSuccess?: (answer: Answer, form: HTMLFormElement) => void;
  onError?: (error: Error) => void;
}) {
  const { ref, errors, show, validate, clear, clearError } = useFormErrors();
  const mutation = useMutation({
    mutationFn: send,
    meta,
    onSuccess: (answer) => onSuccess?.(answer, ref.current!),
    onError: (error) => {
      show(error instanceof ApiError ? (error.problem?.errors ?? {}) : {});
      onError?.(error);
    },
  });
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const values = validate(event.currentTarget, (form) =>
      checkForm(schema, read(formToObject(form, lists ? { lists } : {}))),
    );
    if (values) mutation.mutate(values);
  };
  return {
    formProps: { ref, errors, onSubmit: submit, onChange: clear, noValidate: true },
    errors,
    clearError,
    isBusy: mutation.isPending,
  };
}
