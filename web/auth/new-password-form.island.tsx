import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordFields } from "./password-field.tsx";

export type NewPasswordFormProps = FormState & {
  /** The username that a password manager saves with the new password. */
  username: string;
  /** Whether to require the temporary password too. */
  needsTemporaryPassword: boolean;
};

export const PASSWORD_FAILED = "Failed to update password. Please try again.";

/** Shows a form for a new password. */
export default function NewPasswordForm(props: NewPasswordFormProps) {
  const { formProps, isSending, errors, failure, field } = useActionForm(props, {
    failedText: PASSWORD_FAILED,
  });
  return (
    <form className="form" {...formProps}>
      {failure.text && <Alert key={failure.count}>{failure.text}</Alert>}
      <input type="hidden" name="username" autoComplete="username" value={props.username} />
      {props.needsTemporaryPassword && (
        <TextField
          {...field("currentPassword")}
          label="Temporary password"
          type="password"
          autoComplete="current-password"
          required
        />
      )}
      <NewPasswordFields errors={errors} />
      <button className="button button--main" type="submit" disabled={isSending}>
        {isSending ? "Saving..." : "Save password"}
      </button>
    </form>
  );
}
