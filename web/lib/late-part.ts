import { type ComponentType, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

import { fetchLostStyles } from "./lost-styles.ts";
import { reload } from "./reload.ts";

/** A lazily loaded component, not part of the page's first load. */
export type LatePart<Props> = {
  /** Null until its code has loaded. */
  readonly component: ComponentType<Props> | null;
  /** Fetches its code once. @throws when it did not load; the next call retries */
  fetch: () => Promise<ComponentType<Props>>;
  /** @returns unsubscribes */
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
 * A late part of the page. Parts the server rendered load before hydration, so that they never render again
 * (`dashboard/late-parts.ts`).
 * @param isWanted fetches the code once true
 * @returns null while its code loads; `error` when it failed, and a way to retry
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
        // The error stays until the page reloads: older browsers remember a failed module until then.
        await reload(isAsked);
        setError(again as Error);
      }
    },
    [part],
  );
  const retry = useCallback(() => void tryAgain(true), [tryAgain]);
  return { Part: isWanted ? component : null, error, retry, tryAgain };
}

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * A late part without visible output, such as the one keeping a list live. Retries until it loads, if necessary by
 * reloading the page.
 * @returns `Part` is null until then
 */
export function useSurePart<Props>(part: LatePart<Props>): { Part: ComponentType<Props> | null } {
  const { Part, error, tryAgain } = useLatePart(part, true);
  const tries = useRef(0);
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(
      () => void tryAgain(false),
      Math.min(RETRY_MS * 2 ** tries.current, MAX_RETRY_MS),
    );
    tries.current += 1;
    return () => clearTimeout(timer);
  }, [error, tryAgain]);
  return { Part };
}

/** Fetches parts one by one while the browser is idle. @returns stops it */
export function fetchWhenIdle(parts: readonly { fetch: () => Promise<unknown> }[]): () => void {
  let isWanted = true;
  const next = async (index: number) => {
    const part = parts[index];
    if (!isWanted || !part) return;
    // A part that fails now is fetched on demand, which reports the error.
    await part.fetch().catch(() => {});
    whenIdle(() => void next(index + 1));
  };
  whenIdle(() => void next(0));
  return () => {
    isWanted = false;
  };
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
