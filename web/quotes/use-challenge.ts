import { type RefObject, useEffect, useRef } from "react";

import type { ChallengeAction } from "../../contract/challenges.ts";
import type { Challenge, startChallenge } from "./challenge.ts";
import type { FormChallenge } from "./challenge-source.ts";

type ChallengeModule = { startChallenge: typeof startChallenge };

/** Safari gives a ticked box no focus. */
const FIRST_TOUCHES = ["focusin", "change"];

/**
 * Cloudflare's check for a form, started with the first field that is touched; nothing where it is not
 * switched on. Its code is no part of the form's.
 * @param form the form, whose `ChallengeBox` it uses
 * @returns gives what the browser was given; undefined where it is not switched on, null when it got nothing
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
      // A dropped connection: the next touch tries again.
      started.current = null;
      return null;
    }));
  }

  useEffect(() => {
    const element = form.current;
    if (!source || !element) return;
    // Somebody was quicker than this script.
    if (element.contains(document.activeElement)) void start();
    for (const event of FIRST_TOUCHES) element.addEventListener(event, start);
    // For as long as the page lives: neither the form nor its source ever changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return async () => {
    if (!source) return undefined;
    return (await start())?.token() ?? null;
  };
}
