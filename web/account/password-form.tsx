import { useState } from "react";

import { type CurrentUser, passwordChangeSchema } from "../../contract/auth.ts";
import { NewPasswordFields } from "../auth/password-field.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { SESSIONS_KEY } from "./account.ts";

export function PasswordForm({ user }: { user: CurrentUser }) {
  // A new key remounts the form after saving, which also resets the password strength.
  const [formKey, setFormKey] = useState(0);
  const { formProps, errors, isBusy } = useAppForm({
    schema: passwordChangeSchema,
    send: (json) => unwrap(browserApi().api.user.password.$put({ json })),
    meta: {
      done: { title: "Password updated", description: "You've been signed out everywhere else." },
      failed: { title: "Update failed", description: "Failed to update password. Please try again." },
      refreshes: [SESSIONS_KEY],
    },
    onSuccess: () => setFormKey((last) => last + 1),
  });
  if (user.isImpersonating) {
    return (
      <p className="form__note">
        Only the account's owner can change the password. Stop impersonating first.
      </p>
    );
  }
  return (
    <form className="form" key={formKey} {...formProps}>
      <p className="form__note">A new password will sign you out on every other device.</p>
      <input type="hidden" autoComplete="username" value={user.username} />
      <TextField
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.currentPassword}
      />
      <NewPasswordFields errors={errors} />
      <div className="form__foot">
        <Button type="submit" variant="main" isBusy={isBusy}>
          {isBusy ? "Saving…" : "Update password"}
        </Button>
      </div>
    </form>
  );
}
