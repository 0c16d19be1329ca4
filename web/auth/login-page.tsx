import { redirect } from "react-router";

import { loginSchema } from "../../contract/auth.ts";
import { getHomePath } from "../lib/home-path.ts";
import { unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { BLANK_FORM } from "../documents/form-state.ts";
import { describeProblem, handleForm } from "../documents/handle-form.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/login-page.ts";
import LoginForm from "./login-form.island.tsx";
import { getPathAfterSignIn } from "./return-path.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (user) throw redirect(getHomePath(user));
  const { search, searchParams } = new URL(request.url);
  return { search, hasEnded: searchParams.has("ended"), closed: searchParams.get("closed") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { login } = context.get(apiContext).api.auth;
  return handleForm(request, {
    check: (values) => checkForm(loginSchema, values),
    send: (json) => unwrap(login.$post({ json })),
    explain: (problem) => describeProblem(problem, "Login failed"),
    done(user) {
      if ("next" in user) return redirect(user.next + new URL(request.url).search, 303);
      const headers = { "Set-Cookie": flashCookie("login") };
      return redirect(getPathAfterSignIn(user, request.url), { status: 303, headers });
    },
  });
}

export function meta() {
  return pageMeta({ title: "Sign in", description: "Sign in to Naturestrip." });
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
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
      <Island
        file="auth/login-form.island.tsx"
        component={LoginForm}
        when="now"
        props={actionData ?? BLANK_FORM}
      />
      <p>
        <a href={`/login/passkey${loaderData.search}`}>Sign in with a passkey</a>
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
