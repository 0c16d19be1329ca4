import { type FormEvent, useState } from "react";

import { type Assertion, recoveryCodeSchema, type SecondStep } from "../../contract/passkeys.ts";
import type { CurrentUser } from "../../contract/auth.ts";
import type { FieldErrors, Problem } from "../../contract/problem.ts";
import { formToObject } from "../../contract/forms.ts";
import { checkForm } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { getPathAfterSignIn } from "../auth/return-path.ts";
import { postJson } from "../auth/post-json.ts";
import { flashCookie } from "../lib/flash.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { requestAssertion, describePasskeyError } from "./webauthn.ts";

export type PasskeyFormProps = {
  /** The second step after the password; null for signing in with only a passkey. */
  step: SecondStep | null;
  errors: FieldErrors;
  failure: string | null;
};

const OFFLINE = "We couldn't reach the server. Please check your connection and try again.";

function openSignedIn(body: unknown) {
  document.cookie = flashCookie("login");
  location.replace(getPathAfterSignIn(body as CurrentUser));
}

/** Signs in with a passkey or a recovery code. Before or without the script, a code posts to the page's action. */
export default function PasskeyForm({ step, ...problems }: PasskeyFormProps) {
  const { ref, errors, show, validate } = useFormErrors(problems.errors);
  const [failure, setFailure] = useState(problems.failure);
  const [pending, setPending] = useState<"passkey" | "code" | null>(null);

  function refused(problem: Problem | null) {
    setPending(null);
    // Show the password form again.
    if (problem?.code === "sign_in_ended" && step) return location.reload();
    show(problem?.errors ?? {});
    setFailure(problem?.errors ? null : (problem?.detail ?? OFFLINE));
  }

  async function signIn() {
    if (pending) return;
    const path = step ? "/api/auth/second-factor" : "/api/auth/passkey";
    setPending("passkey");
    show({});
    setFailure(null);
    const options = await postJson(`${path}/options`, {});
    if (!options.ok) return refused(options.problem);
    let credential: Assertion;
    try {
      credential = await requestAssertion(options.body as Parameters<typeof requestAssertion>[0]);
    } catch (error) {
      setPending(null);
      return setFailure(describePasskeyError(error) ?? OFFLINE);
    }
    const answer = await postJson(path, { credential });
    if (answer.ok) openSignedIn(answer.body);
    else refused(answer.problem);
  }

  async function redeem(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const values = validate(event.currentTarget, (form) => checkForm(recoveryCodeSchema, formToObject(form)));
    setFailure(null);
    if (!values) return;
    setPending("code");
    const answer = await postJson("/api/auth/recovery-code", values);
    if (answer.ok) openSignedIn(answer.body);
    else refused(answer.problem);
  }

  return (
    <div className="form">
      {failure && <Alert>{failure}</Alert>}
      <button
        className="button button--main"
        type="button"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page's main action; the focus also hydrates the island
        autoFocus={errors.code === undefined}
        disabled={pending === "passkey"}
        onClick={() => void signIn()}
      >
        {pending === "passkey" ? "Waiting for your passkey..." : "Use your passkey"}
      </button>
      <noscript>
        <p>Passkeys need JavaScript, which is switched off in your browser.</p>
      </noscript>
      {step?.hasRecoveryCodes && (
        <details className="form" open={errors.code !== undefined}>
          <summary>Don’t have your passkey? Use a recovery code</summary>
          <form className="form" method="post" noValidate ref={ref} onSubmit={(event) => void redeem(event)}>
            <TextField
              name="code"
              label="Recovery code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
              placeholder="abcd-efgh-2345-6789"
              hint="You were shown ten of them when you added your first passkey. Each works once."
              error={errors.code}
            />
            <button className="button button--quiet" type="submit" disabled={pending === "code"}>
              {pending === "code" ? "Signing in..." : "Sign in with the code"}
            </button>
          </form>
        </details>
      )}
    </div>
  );
}
