import { data, redirect } from "react-router";

import { loginSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { getHomePath } from "../lib/home-path.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/login-page.ts";
import LoginForm from "./login-form.island.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (user) throw redirect(getHomePath(user));
  const { searchParams } = new URL(request.url);
  return { hasEnded: searchParams.has("ended"), closed: searchParams.get("closed") };
}

/** Signs in when the browser posts the form before or without the script. */
export async function action({ request, context }: Route.ActionArgs) {
  const values = formToObject(await request.formData());
  const username = typeof values.username === "string" ? values.username : "";
  const again = (errors: FieldErrors, failure: string | null, status: number) =>
    data({ username, errors, failure }, { status });

  const checked = checkForm(loginSchema, values);
  if (checked.errors) return again(checked.errors, null, 400);
  try {
    const user = await unwrap(context.get(apiContext).api.auth.login.$post({ json: checked.values }));
    if ("next" in user) return redirect(user.next, 303);
    return redirect(getHomePath(user), { status: 303, headers: { "Set-Cookie": flashCookie("login") } });
  } catch (error) {
    return again({}, messageOf(error, "Login failed"), error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({ title: "Sign in", description: "Sign in to Naturestrip." });
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const props = actionData ?? { username: "", errors: {}, failure: null };
  return (
    <section className="sheet sheet--small" aria-labelledby="login-title">
      <p className="sheet__back">
        <a href="/">
          <Icon name="back" size={20} />
          Back to home
        </a>
      </p>
      <Logo />
      <h1 id="login-title">Sign in</h1>
      {loaderData.hasEnded && (
        <p>
          <strong>You've been signed out.</strong> Sign in to pick up where you left off. Any notes you were
          writing are saved on this device.
        </p>
      )}
      {loaderData.closed !== null && (
        <p>
          <strong>Your account is closed.</strong> We're deleting your data now.
          {loaderData.closed !== "customer" &&
            " By law we have to keep your payment records, but without your name."}
        </p>
      )}
      <Island file="auth/login-form.island.tsx" component={LoginForm} when="now" props={props} />
      <p>
        <a href="/login/passkey">Sign in with a passkey</a>
      </p>
      <p>
        <a href="/forgot-password">Forgot password?</a>
      </p>
      <p>
        No account yet? <a href="/signup">Sign up</a>
      </p>
      <p>
        Asked for a quote? <a href="/my-requests">See your requests</a>
      </p>
    </section>
  );
}
