import { type FormEvent, useState } from "react";
import type * as z from "zod/mini";

import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors, Problem } from "../../contract/problem.ts";
import { checkForm } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { postJson } from "./post-json.ts";

/** A form's errors: one per field, and one for the whole form. */
export type FormProblems = { errors: FieldErrors; failure: string | null };

/**
 * Validates a form and sends it to our API. Before or without the script the form posts to its page's action, which
 * shows the same errors.
 * @param problems the errors that the page's action returned for an earlier attempt
 * @param refused returns the message for the API's problem; null without a readable response
 * @param done receives the API's response and opens the next page
 */
export function useAuthForm<Schema extends z.ZodMiniType<object>>({
  path,
  schema,
  problems,
  refused,
  done,
}: {
  path: `/api/${string}`;
  schema: Schema;
  problems: FormProblems;
  refused: (problem: Problem | null) => FormProblems;
  done: (answer: unknown) => void;
}) {
  const { ref, errors, show, validate } = useFormErrors(problems.errors);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState(problems.failure);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const values = validate(event.currentTarget, (form) => checkForm(schema, formToObject(form)));
    setFailure(null);
    if (!values) return;
    setPending(true);
    const answer = await postJson(path, values);
    if (answer.ok) return done(answer.body);
    const problem = refused(answer.problem);
    setPending(false);
    show(problem.errors);
    setFailure(problem.failure);
  }

  return {
    formProps: { method: "post", noValidate: true, ref, onSubmit: submit } as const,
    pending,
    errors,
    failure,
  };
}
