import { redirect } from "react-router";

import { passwordChangeSchema } from "../../contract/auth.ts";
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
import type { Route } from "./+types/choose-password-page.ts";
import NewPasswordForm, { PASSWORD_FAILED } from "./new-password-form.island.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (!user) throw redirect("/login");
  if (!user.mustChangePassword) throw redirect(getHomePath(user));
  return { firstName: user.firstName, username: user.username };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { password } = context.get(apiContext).api.user;
  return handleForm(request, {
    check(values) {
      const checked = checkForm(passwordChangeSchema, values);
      if (!checked.errors || values.currentPassword) return checked;
      return {
        values: null,
        errors: { ...checked.errors, currentPassword: "Temporary password is required" },
      };
    },
    send: (json) => unwrap(password.$put({ json })),
    explain: (problem) => describeProblem(problem, PASSWORD_FAILED),
    async done() {
      const user = await fetchVisitorUser(context);
      const headers = { "Set-Cookie": flashCookie("password") };
      return redirect(user ? getHomePath(user) : "/login", { status: 303, headers });
    },
  });
}

export function meta() {
  return pageMeta({ title: "Choose your password", description: "Choose a password of your own." });
}

export default function ChoosePasswordPage({ loaderData, actionData }: Route.ComponentProps) {
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
        props={{ ...(actionData ?? BLANK_FORM), username: loaderData.username, needsTemporaryPassword: true }}
      />
      <form method="post" action="/logout">
        <button className="button button--quiet" type="submit">
          Logout
        </button>
      </form>
    </section>
  );
}
