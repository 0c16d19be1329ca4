import { useState } from "react";

import { passwordChangeSchema } from "../../contract/auth.ts";
import { useUser } from "../auth/current-user.ts";
import { NewPasswordFields } from "../auth/password-field.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { TextField } from "../ui/field.tsx";
import { SESSIONS_KEY } from "./account.ts";

export function PasswordForm() {
  const { username } = useUser();
  // A new key remounts the form after saving, which also resets the password strength.
  const [formKey, setFormKey] = useState(0);
  return (
    <SettingsForm
      key={formKey}
      note="A new password will sign you out on every other device."
      ownersOnly="change the password"
      schema={passwordChangeSchema}
      send={(json) => unwrap(browserApi().api.user.password.$put({ json }))}
      save="Update password"
      meta={{
        done: { title: "Password updated", description: "You've been signed out everywhere else." },
        failed: { title: "Update failed", description: "Failed to update password. Please try again." },
        refreshes: [SESSIONS_KEY],
      }}
      onSuccess={() => setFormKey((last) => last + 1)}
    >
      <input type="hidden" autoComplete="username" value={username} />
      <TextField
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
      />
      <NewPasswordFields />
    </SettingsForm>
  );
}
