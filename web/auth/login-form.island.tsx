import { type LoginResponse, loginSchema } from "../../contract/auth.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { flashCookie } from "../lib/flash.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { useAuthForm } from "./use-auth-form.ts";
import { getPathAfterSignIn } from "./return-path.ts";

export type LoginFormProps = {
  username: string;
  errors: FieldErrors;
  /** The server's message after a failed sign-in. */
  failure: string | null;
};

/** Shows the sign-in form. Before or without the script it posts to the page's action. */
export default function LoginForm(props: LoginFormProps) {
  const { formProps, pending, errors, failure } = useAuthForm({
    path: "/api/auth/login",
    schema: loginSchema,
    problems: props,
    refused: (problem) => ({ errors: {}, failure: problem?.detail ?? "Login failed" }),
    done(answer) {
      const user = answer as LoginResponse;
      if ("next" in user) return location.assign(user.next);
      document.cookie = flashCookie("login");
      location.replace(getPathAfterSignIn(user));
    },
  });
  return (
    <form className="form" action="/login" {...formProps}>
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
      <button className="button button--main" type="submit" disabled={pending}>
        {pending ? "Signing in..." : "Sign In"}
      </button>
    </form>
  );
}
