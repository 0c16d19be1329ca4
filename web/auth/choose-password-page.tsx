import { data, redirect } from "react-router";

import { passwordChangeSchema } from "../../contract/auth.ts";
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
import type { Route } from "./+types/choose-password-page.ts";
import NewPasswordForm from "./new-password-form.island.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (!user) throw redirect("/login");
  if (!user.mustChangePassword) throw redirect(getHomePath(user));
  return { firstName: user.firstName, username: user.username };
}

function again(errors: FieldErrors, failure: string | null, status: number) {
  return data({ errors, failure }, { status });
}

export async function action({ request, context }: Route.ActionArgs) {
  const checked = checkForm(passwordChangeSchema, formToObject(await request.formData()));
  if (checked.errors) return again(checked.errors, null, 400);
  try {
    await unwrap(context.get(apiContext).api.user.password.$put({ json: checked.values }));
  } catch (error) {
    const { status, problem } = error instanceof ApiError ? error : { status: 500, problem: null };
    if (problem?.errors) return again(problem.errors, null, status);
    return again({}, messageOf(error, "Failed to update password. Please try again."), status);
  }
  const user = await fetchVisitorUser(context);
  const home = user ? getHomePath(user) : "/login";
  return redirect(home, { status: 303, headers: { "Set-Cookie": flashCookie("password") } });
}

export function meta() {
  return pageMeta({ title: "Choose your password", description: "Choose a password of your own." });
}

export default function ChoosePasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData ?? { errors: {}, failure: null };
  return (
    <section className="sheet sheet--small" aria-labelledby="choose-title">
      <Logo />
      <h1 id="choose-title">Choose your password</h1>
      <p>
        Welcome, {loaderData.firstName}. The password you were given works for one sign-in only. Choose one
        that only you know and you’re in.
      </p>
      <Island
        file="auth/new-password-form.island.tsx"
        component={NewPasswordForm}
        when="touch"
        props={{ username: loaderData.username, needsTemporaryPassword: true, ...problems }}
      />
      <form method="post" action="/logout">
        <button className="button button--quiet" type="submit">
          Logout
        </button>
      </form>
    </section>
  );
}
