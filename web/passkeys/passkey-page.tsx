import { data, redirect } from "react-router";

import { formToObject } from "../../contract/forms.ts";
import { recoveryCodeSchema, type SecondStep } from "../../contract/passkeys.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { getHomePath } from "../lib/home-path.ts";
import { ApiError, codeOf, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/passkey-page.ts";
import PasskeyForm from "./passkey-form.island.tsx";

/** Returns headers with the browser's cookie, which identifies the sign-in to the API. */
function getBrowserHeaders(request: Request) {
  return { headers: { Cookie: request.headers.get("Cookie") ?? "" } };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (user) throw redirect(getHomePath(user));
  const { api } = context.get(apiContext);
  try {
    const step: SecondStep = await unwrap(
      api.auth["second-factor"].$get(undefined, getBrowserHeaders(request)),
    );
    return { step };
  } catch (error) {
    if (codeOf(error) === "sign_in_ended") return { step: null };
    throw error;
  }
}

function again(errors: FieldErrors, failure: string | null, status: number) {
  return data({ errors, failure }, { status });
}

/** Accepts a recovery code when the browser posts the form before or without the script. */
export async function action({ request, context }: Route.ActionArgs) {
  const checked = checkForm(recoveryCodeSchema, formToObject(await request.formData()));
  if (checked.errors) return again(checked.errors, null, 400);
  const { api } = context.get(apiContext);
  try {
    const user = await unwrap(
      api.auth["recovery-code"].$post({ json: checked.values }, getBrowserHeaders(request)),
    );
    return redirect(getHomePath(user), { status: 303, headers: { "Set-Cookie": flashCookie("login") } });
  } catch (error) {
    const { status, problem } = error instanceof ApiError ? error : { status: 500, problem: null };
    if (problem?.errors) return again(problem.errors, null, status);
    return again({}, messageOf(error, "Login failed"), status);
  }
}

export function meta() {
  return pageMeta({ title: "Sign in with a passkey", description: "Sign in to Naturestrip with a passkey." });
}

export default function PasskeyPage({ loaderData: { step }, actionData }: Route.ComponentProps) {
  const problems = actionData ?? { errors: {}, failure: null };
  return (
    <section className="sheet sheet--small" aria-labelledby="passkey-title">
      <p className="sheet__back">
        <a href="/login">
          <Icon name="back" size={20} />
          Back to sign in
        </a>
      </p>
      <Logo />
      <h1 id="passkey-title">{step ? "Now your passkey" : "Sign in with a passkey"}</h1>
      {step ? (
        <p>
          That’s the right password, {step.firstName}. One more step: use your phone, computer or security
          key.
        </p>
      ) : (
        <p>
          No password needed: unlock your phone, computer or security key and you’re in. To add a passkey,
          sign in and go to Settings.
        </p>
      )}
      <Island
        file="passkeys/passkey-form.island.tsx"
        component={PasskeyForm}
        when="now"
        props={{ step, ...problems }}
      />
    </section>
  );
}
