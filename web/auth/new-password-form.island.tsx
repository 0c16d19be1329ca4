import { type FormEvent, useRef, useState } from "react";

import { newPasswordsSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { NewPasswordFields } from "./password-field.tsx";

export type NewPasswordFormProps = {
  /** Whom a password manager keeps it for. */
  username: string;
  /** Whether the temporary password has to be given as well. */
  asksTemporary: boolean;
  errors: FieldErrors;
  failure: string | null;
};

/** Chooses a password. It posts to the page's action, with this script or without it. */
export default function NewPasswordForm({ username, asksTemporary, ...said }: NewPasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState(said.errors);
  const focusError = useErrorFocus(form, Object.keys(said.errors).length > 0);

  function submit(event: FormEvent<HTMLFormElement>) {
    if (pending) return event.preventDefault();
    const values = formToObject(new FormData(event.currentTarget));
    const checked = newPasswordsSchema.safeParse(values);
    const found = checked.success ? {} : fieldErrors(checked.error.issues);
    if (asksTemporary && !values.currentPassword) found.currentPassword = "Temporary password is required";
    setErrors(found);
    focusError();
    if (Object.keys(found).length > 0) event.preventDefault();
    else setPending(true);
  }

  return (
    <form className="form" method="post" noValidate ref={form} onSubmit={submit}>
      {said.failure && <Alert>{said.failure}</Alert>}
      <input type="hidden" name="username" autoComplete="username" value={username} />
      {asksTemporary && (
        <TextField
          name="currentPassword"
          label="Temporary password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.currentPassword}
        />
      )}
      <NewPasswordFields errors={errors} />
      <button className="button" type="submit" disabled={pending}>
        {pending ? "Saving..." : "Save password"}
      </button>
    </form>
  );
}
