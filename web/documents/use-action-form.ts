import { type FormEvent, useEffect, useState } from "react";

import type { ChallengeAction } from "../../contract/challenges.ts";
import { readProblem } from "../../contract/problem.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { deleteDraft, getSubmissionId, restoreDraft, saveDraft } from "./draft.ts";
import type { FormState, NextPage } from "./form-state.ts";
import { type FormChallenge, useChallenge } from "./use-challenge.ts";

/** Timeout of a post. The visitor can send the same form again. */
const SEND_TIMEOUT_MS = 20_000;
/** Timeout of a step's post. The next step does not depend on the answer. */
const STEP_TIMEOUT_MS = 5_000;

/** Why a form was not sent. `count` distinguishes repeated failures with the same text. */
export type Failure = { text: string | null; count: number };

/** The response of the page's action: the next page, the form's state or the reason of a failure. Empty without a response. */
type Answer<State> = { to?: string; state?: State; reason?: string | undefined };

/** Posts data to the address that the form would post to without script. */
async function post<State>(
  { action }: HTMLFormElement,
  body: FormData,
  timeoutMs: number,
): Promise<Answer<State>> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(action, { method: "POST", headers, body, signal });
    const answer = Object(await response.json()) as object;
    if ("to" in answer) return answer as NextPage;
    if ("values" in answer) return { state: answer as State };
    return { reason: response.status < 500 ? readProblem(answer)?.detail : undefined };
  } catch {
    return {};
  }
}

/** A form in steps. */
type Steps<State> = {
  isLast: boolean;
  /** The next step's state, which the form shows if the server cannot be reached. */
  next: State;
  /** Returns the part of the form that the server checks before the next step; null if it need not. */
  pick: (form: FormData) => FormData | null;
  /** Returns whether the step's required fields are filled in. */
  isFilled: (form: FormData) => boolean;
  /** Shows the state's step. */
  show: (state: State) => void;
  /** Shows the step of a restored draft. */
  resume: () => void;
  /** Called after an attempt if no field is wrong. */
  focus: (form: HTMLFormElement) => void;
};

/**
 * Sends a visitor's form without loading a page. The page's action checks it and decides what comes next, as it does
 * without script. If the connection fails, nothing is lost.
 * @param given the form's state from the server
 * @param options.failedText the message if the server gives no reason
 * @param options.leave opens the next page
 * @param options.request for a visitor's request, which has a draft, an id that makes repeats harmless, and Cloudflare's
 *   check
 */
export function useActionForm<State extends FormState>(
  given: State,
  options: {
    failedText: string;
    leave?: (to: string) => void;
    request?: { action: ChallengeAction; challenge: FormChallenge | undefined };
    steps?: Steps<State>;
  },
) {
  const { failedText, leave = (to: string) => location.assign(to), request, steps } = options;
  const { ref, errors, show, clear } = useFormErrors(given.errors, steps?.focus);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure>({ text: given.failure, count: 0 });
  const [suburbs, setSuburbs] = useState(given.suburbs);
  const getToken = useChallenge(ref, request);

  useEffect(() => {
    // Input that the server returned is newer than any draft.
    if (!request || given.submissionId) return;
    const filled = Object.keys(given.values).filter((name) => String(given.values[name]) !== "");
    if (restoreDraft(ref.current!, filled)) steps?.resume();
    // Runs once, right after hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const save = () => {
    if (request) saveDraft(ref.current!);
  };

  function fail(text: string | null) {
    setSending(false);
    setFailure(({ count }) => ({ text, count: count + 1 }));
  }

  /** Shows a state of the form. */
  function showState(state: State) {
    fail(state.failure);
    setSuburbs(state.suburbs);
    steps?.show(state);
    show(state.errors);
    save();
  }

  /**
   * Asks the server about a step. Without an answer the form goes on if the step is filled in, because the last step
   * checks everything.
   */
  async function sendStep({ next, pick, isFilled }: Steps<State>, form: FormData) {
    const body = pick(form);
    if (!body) return showState(next);
    setSending(true);
    const { state } = await post<State>(ref.current!, body, STEP_TIMEOUT_MS);
    if (!state && !isFilled(form)) return fail(failedText);
    showState(state ?? next);
  }

  /** Sends the form, and shows the answer or opens the next page. */
  async function send(body: FormData) {
    setSending(true);
    if (request) body.set("submissionId", getSubmissionId(ref.current!));
    const token = await getToken();
    if (token !== undefined) body.set("turnstileToken", token ?? "");
    const { to, state, reason = failedText } = await post<State>(ref.current!, body, SEND_TIMEOUT_MS);
    if (state) return showState(state);
    if (to === undefined) return fail(reason);
    // `isSending` stays true, because the visitor is about to leave the page.
    if (request) deleteDraft(ref.current!);
    leave(to);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.currentTarget);
    void (steps && !steps.isLast ? sendStep(steps, form) : send(form));
  }

  /** Returns the props of a text field. */
  function field(name: string) {
    const value = given.values[name];
    return { name, defaultValue: typeof value === "string" ? value : "", error: errors[name] };
  }

  return {
    ref,
    formProps: {
      method: "post" as const,
      noValidate: true,
      ref,
      onSubmit: submit,
      onInput(event: FormEvent<HTMLFormElement>) {
        clear(event);
        save();
      },
      "aria-busy": isSending,
    },
    errors,
    failure,
    isSending,
    suburbs,
    field,
    fail,
    send,
    showErrors: show,
    showState,
  };
}
