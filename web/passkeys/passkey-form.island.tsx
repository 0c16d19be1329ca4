import { useState } from "react";

import type { SecondStep } from "../../contract/passkeys.ts";
import { readProblem } from "../../contract/problem.ts";
import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { describePasskeyError, requestAssertion } from "./webauthn.ts";

export type PasskeyFormProps = FormState & {
  /** The second step after the password; null for signing in with only a passkey. */
  step: SecondStep | null;
};

const OFFLINE = "We couldn't reach the server. Please check your connection and try again.";

/** Signs in with a passkey or a recovery code. */
export default function PasskeyForm({ step, ...given }: PasskeyFormProps) {
  const { ref, formProps, isSending, failure, field, send, fail } = useActionForm(given, {
    failedText: OFFLINE,
    leave: (to) => location.replace(to),
  });
  const [isWaiting, setWaiting] = useState(false);

  /** Asks the browser for the passkey's answer, and posts it. */
  async function signIn() {
    const path = step ? "/api/auth/second-factor" : "/api/auth/passkey";
    const response = await fetch(`${path}/options`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    const options: unknown = await response.json();
    if (!response.ok) {
      const problem = readProblem(options);
      // Show the password form again.
      if (problem?.code === "sign_in_ended" && step) return location.reload();
      return fail(problem?.detail ?? OFFLINE);
    }
    const credential = await requestAssertion(options as Parameters<typeof requestAssertion>[0]);
    const body = new FormData(ref.current!);
    body.set("credential", JSON.stringify(credential));
    await send(body);
  }

  async function press() {
    if (isWaiting || isSending) return;
    setWaiting(true);
    fail(null);
    await signIn().catch((error: unknown) => fail(describePasskeyError(error) ?? OFFLINE));
    setWaiting(false);
  }

  return (
    <form className="form" {...formProps}>
      {failure.text && <Alert key={failure.count}>{failure.text}</Alert>}
      {step && <input type="hidden" name="step" value="second" />}
      <button
        className="button button--main"
        type="button"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page's main action; the focus also hydrates the island
        autoFocus={given.errors.code === undefined}
        disabled={isWaiting}
        onClick={() => void press()}
      >
        {isWaiting ? "Waiting for your passkey..." : "Use your passkey"}
      </button>
      <noscript>
        <p>Passkeys need JavaScript, which is switched off in your browser.</p>
      </noscript>
      {step?.hasRecoveryCodes && (
        <details className="form" open={given.errors.code !== undefined}>
          <summary>Don’t have your passkey? Use a recovery code</summary>
          <div className="form">
            <TextField
              {...field("code")}
              label="Recovery code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
              placeholder="abcd-efgh-2345-6789"
              hint="You were shown ten of them when you added your first passkey. Each works once."
            />
            <button className="button button--quiet" type="submit" disabled={isSending}>
              {isSending && !isWaiting ? "Signing in..." : "Sign in with the code"}
            </button>
          </div>
        </details>
      )}
    </form>
  );
}
