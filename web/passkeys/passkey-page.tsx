import { redirect } from "react-router";

import {
  type Assertion,
  assertionSchema,
  recoveryCodeSchema,
  type SecondStep,
} from "../../contract/passkeys.ts";
import { getHomePath } from "../lib/home-path.ts";
import { codeOf, unwrap } from "../lib/api.ts";
import { getPathAfterSignIn } from "../auth/return-path.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { BLANK_FORM } from "../documents/form-state.ts";
import { describeProblem, handleForm } from "../documents/handle-form.ts";
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

type Proof = { code: string } | { step: unknown; credential: Assertion };

/** Returns null for text that is not JSON. Our island never posts such text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Checks a recovery code, or the passkey's answer that the island posts. */
function checkProof({ step, credential, ...values }: Record<string, unknown>): Checked<Proof> {
  if (typeof credential !== "string") return checkForm(recoveryCodeSchema, values);
  const checked = checkForm(assertionSchema, parseJson(credential));
  return checked.errors ? checked : { values: { step, credential: checked.values }, errors: null };
}

/** Signs in with a passkey, or with a recovery code. */
export async function action({ request, context }: Route.ActionArgs) {
  const { auth } = context.get(apiContext).api;
  const browser = getBrowserHeaders(request);
  return handleForm(request, {
    check: checkProof,
    send(proof) {
      if ("code" in proof) return unwrap(auth["recovery-code"].$post({ json: proof }, browser));
      const json = { credential: proof.credential };
      return proof.step
        ? unwrap(auth["second-factor"].$post({ json }, browser))
        : unwrap(auth.passkey.$post({ json }, browser));
    },
    // The loader shows how to begin again.
    explain: (problem, { step }) =>
      problem?.code === "sign_in_ended" && step
        ? redirect(request.url, 303)
        : describeProblem(problem, "Login failed"),
    done(user) {
      const headers = { "Set-Cookie": flashCookie("login") };
      return redirect(getPathAfterSignIn(user, request.url), { status: 303, headers });
    },
  });
}

export function meta() {
  return pageMeta({ title: "Sign in with a passkey", description: "Sign in to Naturestrip with a passkey." });
}

export default function PasskeyPage({ loaderData: { step }, actionData }: Route.ComponentProps) {
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
        props={{ ...(actionData ?? BLANK_FORM), step }}
      />
    </section>
  );
}
