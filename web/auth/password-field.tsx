import { type ReactNode, useState } from "react";

import { PASSWORD_MIN } from "../../contract/auth.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { TextField } from "../ui/field.tsx";
import { ChangingText } from "../ui/changing-text.tsx";

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
            <ChangingText>
              {password ? strength.words : "Longer is stronger: try three words in a row."}
            </ChangingText>
          </span>
        </>
      }
    />
  );
}

/**
 * Shows fields for a new password and its confirmation: `newPassword` and `confirmPassword`.
 * @param errors not needed in a `Form`
 */
export function NewPasswordFields({ errors }: { errors?: FieldErrors }) {
  return (
    <>
      <NewPasswordField name="newPassword" label="New password" error={errors?.newPassword} />
      <TextField
        name="confirmPassword"
        label="Type it again"
        type="password"
        autoComplete="new-password"
        required
        error={errors?.confirmPassword}
      />
    </>
  );
}

/** Rates a password from 0 (too short) to 3, with a label for the user. */
function passwordStrength(password: string): { score: 0 | 1 | 2 | 3; words: string } {
  if (password.length < PASSWORD_MIN) return { score: 0, words: `Minimum ${PASSWORD_MIN} characters` };
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const variety = new Set(password).size;
  if (variety < 5 || password.length < 8) return { score: 1, words: "Weak: longer is better" };
  // Length matters more than variety: three plain words are harder to guess than one word with a digit.
  if (password.length >= 14 || (password.length >= 10 && kinds >= 3)) {
    return { score: 3, words: "Strong" };
  }
  return { score: 2, words: "Fair: a few more characters will make it strong" };
}
