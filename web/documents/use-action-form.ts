import { type FormEvent, useState } from "react";

import { readProblem } from "../../contract/problem.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import type { FormState, NextPage } from "./form-state.ts";

/** Timeout of a post. The visitor can send the same form again. */
const SEND_TIMEOUT_MS = 20_000;

/** Why a form was not sent. `count` distinguishes repeated failures with the same text. */
export type Failure = { text: string | null; count: number };

/**
 * Posts the form to the address that it would post to without script.
 * @returns the answer of the page's action, or why there is none; null if the server cannot be reached
 */
async function post(
  form: HTMLFormElement,
  body: FormData,
  timeoutMs: number,
): Promise<FormState | NextPage | { failure: string | null } | null> {
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer: unknown = await response.json();
    if (answer && typeof answer === "object" && ("to" in answer || "values" in answer))
      return answer as FormState | NextPage;
    return { failure: response.status < 500 ? (readProblem(answer)?.detail ?? null) : null };
  } catch {
    return null;
  }
}

/**
 * Sends a visitor's form without loading a page. The page's action checks it and decides what comes next, as it does
 * without script. If the connection fails, the form keeps everything.
 * @param given the form's state from the server
 * @param options.failedText the message if the server gives no reason
 * @param options.leave opens the next page
 */
export function useActionForm(
  given: FormState,
  { failedText, leave = (to) => location.assign(to) }: { failedText: string; leave?: (to: string) => void },
) {
  const { ref, errors, show, clear } = useFormErrors(given.errors);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure>({ text: given.failure, count: 0 });

  function fail(text: string | null) {
    setSending(false);
    setFailure(({ count }) => ({ text, count: count + 1 }));
  }

  /** Posts the form's data, and shows the answer or opens the next page. */
  async function send(body: FormData) {
    setSending(true);
    const answer = await post(ref.current!, body, SEND_TIMEOUT_MS);
    // `isSending` stays true, because the visitor is about to leave the page.
    if (answer && "to" in answer) return leave(answer.to);
    const isState = answer !== null && "values" in answer;
    fail(isState ? answer.failure : (answer?.failure ?? failedText));
    if (isState) show(answer.errors);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isSending) void send(new FormData(event.currentTarget));
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
      onInput: clear,
      "aria-busy": isSending,
    },
    errors,
    failure,
    isSending,
    field,
    send,
    fail,
  };
}
