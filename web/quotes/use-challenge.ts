import { type RefObject, useEffect, useRef } from "react";

import type { ChallengeAction } from "../../contract/challenges.ts";
import type { Challenge, startChallenge } from "./challenge.ts";
import type { FormChallenge } from "./challenge-source.ts";

type ChallengeModule = { startChallenge: typeof startChallenge };

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
  source: FormChallenge | undefined,
  action: ChallengeAction,
): () => Promise<string | null | undefined> {
  const started = useRef<Promise<Challenge | null> | null>(null);

  async function fetchAndStart(): Promise<Challenge> {
    const module = (await import(/* @vite-ignore */ source!.file)) as ChallengeModule;
    return module.startChallenge(form.current!.querySelector("[data-challenge]")!, source!, action);
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
