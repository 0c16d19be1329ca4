import { data, redirect } from "react-router";

import { newPasswordsSchema } from "../../contract/auth.ts";
import { ApiError, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { BLANK_FORM } from "../documents/form-state.ts";
import { describeProblem, handleForm } from "../documents/handle-form.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import type { Route } from "./+types/reset-password-page.ts";
import NewPasswordForm, { PASSWORD_FAILED } from "./new-password-form.island.tsx";

/** The URL is secret, so do not cache this page or send other sites a referrer. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { api } = context.get(apiContext);
  try {
    return { owner: await unwrap(api.auth["password-link"].$get({ query: { token: params.token } })) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return data({ owner: null }, { status: error.status });
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { auth } = context.get(apiContext).api;
  return handleForm(request, {
    check: (values) => checkForm(newPasswordsSchema, values),
    send: (passwords) =>
      unwrap(auth["reset-password"].$post({ json: { token: params.token, ...passwords } })),
    // The loader checks the link again and shows its state. A URL's query may be too long for a header.
    explain: (problem) =>
      problem?.code === "link_ended"
        ? redirect(new URL(request.url).pathname, 303)
        : describeProblem(problem, PASSWORD_FAILED),
    done: () => redirect("/login", { status: 303, headers: { "Set-Cookie": flashCookie("password-reset") } }),
  });
}

export function meta() {
  return pageMeta({ title: "Choose a new password", description: "Choose a new password." });
}

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { owner } = loaderData;
  return (
    <section className="sheet sheet--small" aria-labelledby="reset-title">
      <Logo />
      <h1 id="reset-title">{owner ? "Choose a new password" : "This link no longer works"}</h1>
      {owner ? (
        <>
          <p>
            For {owner.firstName}, who signs in as <strong>{owner.username}</strong>. You'll be signed out
            everywhere else.
          </p>
          <Island
            file="auth/new-password-form.island.tsx"
            component={NewPasswordForm}
            when="touch"
            props={{ ...(actionData ?? BLANK_FORM), username: owner.username, needsTemporaryPassword: false }}
          />
        </>
      ) : (
        <>
          <p>
            Each link works once, for up to 24 hours, and stops working when a newer one is created. Ask for
            another link and open it as soon as you get it.
          </p>
          <p className="actions">
            <a className="button button--main" href="/forgot-password">
              Ask for another link
            </a>
            <a className="button button--quiet" href="/login">
              Sign in
            </a>
          </p>
        </>
      )}
    </section>
  );
}
