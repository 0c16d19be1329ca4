import { type ComponentType, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

import { fetchLostStyles } from "./lost-styles.ts";
import { reload } from "./reload.ts";

/** A component whose code is not part of the page's first load. */
export type LatePart<Props> = {
  /** Null until its code is here. */
  readonly component: ComponentType<Props> | null;
  /** Fetches its code, once. @throws when it did not come; the next call tries again */
  fetch: () => Promise<ComponentType<Props>>;
  /** @returns ends it */
  subscribe: (listener: () => void) => () => void;
};

/** @param load imports the component's module */
export function latePart<Props>(load: () => Promise<ComponentType<Props>>): LatePart<Props> {
  let component: ComponentType<Props> | null = null;
  let underWay: Promise<ComponentType<Props>> | null = null;
  const listeners = new Set<() => void>();
  const run = async () => {
    try {
      await fetchLostStyles();
      component = await load();
      for (const listener of listeners) listener();
      return component;
    } finally {
      underWay = null;
    }
  };
  return {
    get component() {
      return component;
    },
    fetch: () => (component ? Promise.resolve(component) : (underWay ??= run())),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * A late part that stands in the page. What the server draws of it is fetched before the page wakes up, so
 * that it is never drawn anew (`dashboard/late-parts.ts`).
 * @param isWanted fetches its code as soon as it is
 * @returns null while its code is on its way; `error` when it did not come, and how to try again
 */
export function useLatePart<Props>(part: LatePart<Props>, isWanted: boolean) {
  const read = () => part.component;
  const component = useSyncExternalStore(part.subscribe, read, read);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (isWanted && !error) part.fetch().catch(setError);
  }, [part, isWanted, error]);
  const tryAgain = useCallback(
    async (isAsked: boolean) => {
      try {
        await part.fetch();
        setError(null);
      } catch (again) {
        // Shown until the page is new: older browsers keep what did not come as missing until then.
        await reload(isAsked);
        setError(again as Error);
      }
    },
    [part],
  );
  const retry = useCallback(() => void tryAgain(true), [tryAgain]);
  return { Part: isWanted ? component : null, error, retry, tryAgain };
}

/** The first wait for a part that did not come, and the longest. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * A late part that nobody asks for and that shows nothing itself, such as what keeps a list live: fetched
 * again and again until it is here, if need be with the page.
 * @returns `Part` is null until then
 */
export function useSurePart<Props>(part: LatePart<Props>): { Part: ComponentType<Props> | null } {
  const { Part, error, tryAgain } = useLatePart(part, true);
  const tries = useRef(0);
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(
      () => void tryAgain(false),
      Math.min(RETRY_MS * 2 ** tries.current, LONGEST_RETRY_MS),
    );
    tries.current += 1;
    return () => clearTimeout(timer);
  }, [error, tryAgain]);
  return { Part };
}

/** Fetches the code of parts one after the other, while there is nothing else to do. @returns stops it */
export function fetchWhenIdle(parts: readonly { fetch: () => Promise<unknown> }[]): () => void {
  let isWanted = true;
  const next = async (index: number) => {
    const part = parts[index];
    if (!isWanted || !part) return;
    // What does not come now is fetched when it is wanted, and then said.
    await part.fetch().catch(() => {});
    whenIdle(() => void next(index + 1));
  };
  whenIdle(() => void next(0));
  return () => {
    isWanted = false;
  };
}

/** Safari knows no idle time. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
