import { data, redirect } from "react-router";

import { newPasswordsSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { ApiError, codeOf, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import type { Route } from "./+types/reset-password-page.ts";
import NewPasswordForm from "./new-password-form.island.tsx";

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

function again(errors: FieldErrors, failure: string | null, status: number) {
  return data({ errors, failure }, { status });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const checked = checkForm(newPasswordsSchema, formToObject(await request.formData()));
  if (checked.errors) return again(checked.errors, null, 400);
  try {
    const json = { token: params.token, ...checked.values };
    await unwrap(context.get(apiContext).api.auth["reset-password"].$post({ json }));
  } catch (error) {
    // The loader checks the link again and shows its state.
    if (codeOf(error) === "link_ended") return again({}, null, 410);
    const { status, problem } = error instanceof ApiError ? error : { status: 500, problem: null };
    if (problem?.errors) return again(problem.errors, null, status);
    return again({}, messageOf(error, "Failed to update password. Please try again."), status);
  }
  return redirect("/login", { status: 303, headers: { "Set-Cookie": flashCookie("password-reset") } });
}

export function meta() {
  return pageMeta({ title: "Choose a new password", description: "Choose a new password." });
}

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData ?? { errors: {}, failure: null };
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
            props={{ username: owner.username, needsTemporaryPassword: false, ...problems }}
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
