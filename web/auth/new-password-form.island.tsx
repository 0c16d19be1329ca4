import { type FormEvent, useState } from "react";

import { newPasswordsSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { checkForm } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordFields } from "./password-field.tsx";

export type NewPasswordFormProps = {
  /** The username that a password manager saves with the new password. */
  username: string;
  /** Whether to require the temporary password too. */
  needsTemporaryPassword: boolean;
  errors: FieldErrors;
  failure: string | null;
};

/** Shows a form for a new password. It posts to the page's action, with or without the script. */
export default function NewPasswordForm({
  username,
  needsTemporaryPassword,
  ...problems
}: NewPasswordFormProps) {
  const { ref, errors, validate } = useFormErrors(problems.errors);
  const [pending, setPending] = useState(false);

  function check(form: FormData) {
    const typed = formToObject(form);
    const checked = checkForm(newPasswordsSchema, typed);
    if (!needsTemporaryPassword || typed.currentPassword) return checked;
    return { values: null, errors: { ...checked.errors, currentPassword: "Temporary password is required" } };
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    if (pending) return event.preventDefault();
    if (validate(event.currentTarget, check)) setPending(true);
    else event.preventDefault();
  }

  return (
    <form className="form" method="post" noValidate ref={ref} onSubmit={submit}>
      {problems.failure && <Alert>{problems.failure}</Alert>}
      <input type="hidden" name="username" autoComplete="username" value={username} />
      {needsTemporaryPassword && (
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
      <button className="button button--main" type="submit" disabled={pending}>
        {pending ? "Saving..." : "Save password"}
      </button>
    </form>
  );
}
