import { type FormEvent, useState } from "react";

import type { ChallengeAction } from "../../contract/challenges.ts";
import type { FormChallenge } from "./challenge-source.ts";
import type { Checked } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import type { FieldState } from "./person-fields.tsx";
import type { FormState } from "./post-form.ts";
import { buildSentCookie } from "./sent-request.ts";
import { type Outcome, sendForm } from "./send-request.ts";
import { deleteSubmissionId, getSubmissionId } from "./submission-id.ts";
import { deleteDraft } from "./draft.ts";
import { useChallenge } from "./use-challenge.ts";
import { useDraft } from "./use-draft.ts";

/** The error message of a failed request. `count` distinguishes repeated failures with the same message. */
export type Failure = { text: string | null; count: number };

/**
 * Sends a visitor's request only once, even if the visitor presses the button again.
 * @param form the form's name; the submission id is stored under it until the request is sent
 * @param challenge returns the token of Cloudflare's check
 * @param given the id and the failure from the server's response
 */
export function useSending(
  form: string,
  path: `/api/${string}`,
  failedText: string,
  challenge: ReturnType<typeof useChallenge>,
  given: Pick<FormState, "submissionId" | "failure">,
) {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure>({ text: given.failure, count: 0 });

  /** Sends the request. After success `sending` stays true, because the visitor is about to leave the page. */
  async function send(request: object): Promise<Outcome> {
    setSending(true);
    const submissionId = getSubmissionId(form, given.submissionId);
    const turnstileToken = await challenge();
    const body = { ...request, submissionId, turnstileToken };
    const outcome = await sendForm(path, body, failedText);
    if (outcome.sent) {
      deleteSubmissionId(form);
      deleteDraft();
      const cookie = buildSentCookie(request, outcome.answer, location.protocol === "https:");
      // Without a cookie the thank-you page shows no details.
      if (cookie) document.cookie = cookie;
      return outcome;
    }
    setSending(false);
    if (outcome.failure) setFailure(({ count }) => ({ text: outcome.failure, count: count + 1 }));
    return outcome;
  }

  return { sending, failure, send };
}

/**
 * Provides the common behaviour of the short request forms: validate, send, show errors, go to /success.
 * @param options.check reads and validates the form with the contract's schema
 */
export function useRequestForm<Request extends object>(
  given: FormState & { challenge?: FormChallenge | undefined },
  options: {
    form: string;
    action: ChallengeAction;
    path: `/api/${string}`;
    failedText: string;
    check: (form: FormData) => Checked<Request>;
    /** Returns the path of the thank-you page; /success if omitted. */
    thanks?: (request: Request) => string;
    /** Looks for errors that only the server knows, after the form's own validation failed. */
    onInvalid?: (form: FormData, add: (name: string, error: string) => void) => Promise<void>;
  },
) {
  const { ref, errors, show, add, validate, clear } = useFormErrors(given.errors);
  const save = useDraft(ref, given);
  const challenge = useChallenge(ref, given.challenge, options.action);
  const { sending, failure, send } = useSending(
    options.form,
    options.path,
    options.failedText,
    challenge,
    given,
  );

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const request = validate(event.currentTarget, options.check);
    if (!request) return options.onInvalid?.(new FormData(event.currentTarget), add);
    const outcome = await send(request);
    if (outcome.sent) {
      ref.current?.reset();
      return location.assign(options.thanks?.(request) ?? "/success");
    }
    show(outcome.errors);
  }

  function field(name: string): FieldState {
    const value = given.values[name];
    return { name, defaultValue: typeof value === "string" ? value : "", error: errors[name] };
  }

  return {
    formProps: {
      method: "post" as const,
      noValidate: true,
      ref,
      onSubmit: submit,
      onInput(event: FormEvent<HTMLFormElement>) {
        clear(event);
        save();
      },
      "aria-busy": sending,
    },
    errors,
    sending,
    failure,
    field,
  };
}
