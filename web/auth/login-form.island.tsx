import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";

/** Shows the sign-in form. */
export default function LoginForm(given: FormState) {
  const { formProps, isSending, failure, field } = useActionForm(given, {
    failedText: "Login failed",
    leave: (to) => location.replace(to),
  });
  return (
    <form className="form" {...formProps}>
      {failure.text && <Alert key={failure.count}>{failure.text}</Alert>}
      <TextField
        {...field("username")}
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextField
        {...field("password")}
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
      <button className="button button--main" type="submit" disabled={isSending}>
        {isSending ? "Signing in..." : "Sign In"}
      </button>
    </form>
  );
}
