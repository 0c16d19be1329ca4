import { type ReactNode, useState } from "react";

import type { FieldErrors } from "../../contract/problem.ts";
import { TextField } from "../ui/field.tsx";
import { passwordStrength } from "./password-strength.ts";

/** Shows a field for a new password, with an estimate of its strength. */
export function NewPasswordField({
  name,
  label,
  error,
}: {
  name: string;
  label: ReactNode;
  error?: string | undefined;
}) {
  const [password, setPassword] = useState("");
  const strength = passwordStrength(password);
  return (
    <TextField
      name={name}
      label={label}
      type="password"
      autoComplete="new-password"
      placeholder="Minimum 6 characters"
      required
      error={error}
      onInput={(event) => setPassword(event.currentTarget.value)}
      hint={
        <>
          <span className="strength" data-score={strength.score} aria-hidden="true" />
          <span aria-live="polite">
            {password ? strength.words : "Longer is stronger: try three words in a row."}
          </span>
        </>
      }
    />
  );
}

/** Shows fields for a new password and its confirmation: `newPassword` and `confirmPassword`. */
export function NewPasswordFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <NewPasswordField name="newPassword" label="New password" error={errors.newPassword} />
      <TextField
        name="confirmPassword"
        label="Type it again"
        type="password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword}
      />
    </>
  );
}
