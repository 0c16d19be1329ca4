import { type FormEvent, useRef, useState } from "react";

import { loginSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import { flashCookie } from "../lib/flash.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { postJson } from "./post-json.ts";

export type LoginFormProps = {
  username: string;
  errors: FieldErrors;
  /** The server's words after a failed sign-in. */
  failure: string | null;
};

/** Username and password. Without script the form posts to the page's action. */
export default function LoginForm(props: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState(props.errors);
  const [failure, setFailure] = useState(props.failure);

  const focusError = useErrorFocus(form, Object.keys(props.errors).length > 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const checked = loginSchema.safeParse(formToObject(new FormData(event.currentTarget)));
    setFailure(null);
    focusError();
    if (!checked.success) return setErrors(fieldErrors(checked.error.issues));
    setErrors({});
    setPending(true);
    const answer = await postJson("/api/auth/login", checked.data);
    if (!answer.ok) {
      setPending(false);
      return setFailure(answer.problem?.detail ?? "Login failed");
    }
    document.cookie = flashCookie("login");
    const { userType } = answer.body as { userType: string };
    location.replace(userType === "customer" ? "/" : "/dashboard");
  }

  return (
    <form className="form" method="post" action="/login" noValidate ref={form} onSubmit={submit}>
      {failure && <Alert>{failure}</Alert>}
      <TextField
        name="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={props.username}
        error={errors.username}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <button className="button" type="submit" disabled={pending}>
        {pending ? "Signing in..." : "Sign In"}
      </button>
    </form>
  );
}
