import { type RefObject, useEffect, useRef } from "react";

import type { ChallengeAction, ChallengeSource } from "../../contract/challenges.ts";

/** The data that a form needs for the check. `file` is the URL of our own script, fetched on demand. */
export type FormChallenge = ChallengeSource & { file: string };

type Challenge = { token: () => Promise<string | null> };

/** The part of `quotes/challenge.ts` that a form uses. */
type ChallengeModule = {
  startChallenge: (element: HTMLElement, source: ChallengeSource, action: ChallengeAction) => Challenge;
};

/** First interactions. Includes `change`, because Safari does not focus a checkbox when it is ticked. */
const FIRST_INTERACTION_EVENTS = ["focusin", "change"];

/**
 * Starts Cloudflare's check at the first interaction with a form. Does nothing while the check is switched off. The
 * check's code is not part of the form's bundle.
 * @param form the form with the `ChallengeBox`
 * @returns a function that resolves to the token; undefined while switched off, null without a token
 */
export function useChallenge(
  form: RefObject<HTMLFormElement | null>,
  request: { action: ChallengeAction; challenge: FormChallenge | undefined } | undefined,
): () => Promise<string | null | undefined> {
  const started = useRef<Promise<Challenge | null> | null>(null);
  const source = request?.challenge;

  async function fetchAndStart(): Promise<Challenge> {
    const module = (await import(/* @vite-ignore */ source!.file)) as ChallengeModule;
    return module.startChallenge(form.current!.querySelector("[data-challenge]")!, source!, request!.action);
  }
  function start(): Promise<Challenge | null> {
    return (started.current ??= fetchAndStart().catch(() => {
      // The code did not load, so retry at the next interaction.
      started.current = null;
      return null;
    }));
  }

  useEffect(() => {
    const element = form.current;
    if (!source || !element) return;
    // Start at once if the visitor focused a field before this script loaded.
    if (element.contains(document.activeElement)) void start();
    for (const event of FIRST_INTERACTION_EVENTS) element.addEventListener(event, start);
    // Runs once per page: neither the form nor its source ever changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return async () => {
    if (!source) return undefined;
    return (await start())?.token() ?? null;
  };
}
