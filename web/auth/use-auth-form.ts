import { type FormEvent, useRef, useState } from "react";
import type * as z from "zod/mini";

import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors, type Problem } from "../../contract/problem.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { postJson } from "./post-json.ts";

/** What a form says was wrong: by field, and as a whole. */
export type Said = { errors: FieldErrors; failure: string | null };

/**
 * A form that is checked here and sent to our API. Without script it posts to its page's action, which
 * says the same.
 * @param said what the page's action said of an earlier try
 * @param refused what to say of the API's problem; null when there was no answer we understand
 * @param done takes in the API's answer and leads on
 */
export function useAuthForm<Schema extends z.ZodMiniType<object>>({
  path,
  schema,
  said,
  refused,
  done,
}: {
  path: `/api/${string}`;
  schema: Schema;
  said: Said;
  refused: (problem: Problem | null) => Said;
  done: (answer: unknown) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [shown, setShown] = useState(said);
  const focusError = useErrorFocus(form, Object.keys(said.errors).length > 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const checked = schema.safeParse(formToObject(new FormData(event.currentTarget)));
    focusError();
    setShown({ errors: checked.success ? {} : fieldErrors(checked.error.issues), failure: null });
    if (!checked.success) return;
    setPending(true);
    const answer = await postJson(path, checked.data);
    if (answer.ok) return done(answer.body);
    focusError();
    setPending(false);
    setShown(refused(answer.problem));
  }

  return {
    formProps: { method: "post", noValidate: true, ref: form, onSubmit: submit } as const,
    pending,
    ...shown,
  };
}
