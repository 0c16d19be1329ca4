import { type ComponentType, useCallback, useEffect, useRef, useState } from "react";

import { reloadIfIdle } from "./reload.ts";
import { backoffMs } from "./backoff.ts";
import { createStore, type Store, useStore } from "./store.ts";

/** A component that is loaded lazily, after the page. */
export type LazyPart<Props> = {
  /** Returns the component; null until its code has loaded. */
  read: () => ComponentType<Props> | null;
  subscribe: Store<unknown>["subscribe"];
  /** Fetches the code once. @throws Error if it does not load; the next call retries */
  fetch: () => Promise<ComponentType<Props>>;
};

export type PropsOf<Part> = Part extends LazyPart<infer Props> ? Props : never;

/** Creates a lazily loaded component. @param load imports the component's module */
export function createLazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const { read, write, subscribe } = createStore<ComponentType<Props> | null>(null);
  let pendingLoad: Promise<ComponentType<Props>> | null = null;
  const run = async () => {
    try {
      const component = await load();
      write(component);
      return component;
    } finally {
      pendingLoad = null;
    }
  };
  return {
    read,
    subscribe,
    fetch: async () => read() ?? (pendingLoad ??= run()),
  };
}

/**
 * Returns a late part after its code has loaded. Parts rendered by the server load before hydration, so that React does
 * not render them again (`dashboard/lazy-parts.ts`).
 * @param isWanted whether to fetch the code
 * @returns `Part` is null while the code loads; `error` after a failure, and functions to retry
 */
export function useLazyPart<Props>(part: LazyPart<Props>, isWanted: boolean) {
  const component = useStore(part, part.read());
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (isWanted && !error) part.fetch().catch(setError);
  }, [part, isWanted, error]);
  const retryLoad = useCallback(
    async (isUserInitiated: boolean) => {
      try {
        await part.fetch();
        setError(null);
      } catch (again) {
        // Show the error until the page reloads: older browsers remember a failed module until then.
        await reloadIfIdle(isUserInitiated);
        setError(again as Error);
      }
    },
    [part],
  );
  const retry = useCallback(() => void retryLoad(true), [retryLoad]);
  return { Part: isWanted ? component : null, error, retry, retryLoad };
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * Returns a late part without visible output, such as live updates of a list. Retries until it loads, if necessary by
 * reloading the page.
 * @returns `Part` is null until the code has loaded
 */
export function useLazyPartWithRetry<Props>(part: LazyPart<Props>): { Part: ComponentType<Props> | null } {
  const { Part, error, retryLoad } = useLazyPart(part, true);
  const tries = useRef(0);
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(
      () => void retryLoad(false),
      backoffMs(tries.current++, FIRST_RETRY_MS, MAX_RETRY_MS),
    );
    return () => clearTimeout(timer);
  }, [error, retryLoad]);
  return { Part };
}

/** Fetches parts one by one while the browser is idle. @returns a function that stops fetching */
export function fetchWhenIdle(parts: readonly { fetch: () => Promise<unknown> }[]): () => void {
  let isWanted = true;
  const next = async (index: number) => {
    const part = parts[index];
    if (!isWanted || !part) return;
    // Ignore a failure: opening the part fetches it again and reports an error.
    await part.fetch().catch(() => {});
    whenIdle(() => void next(index + 1));
  };
  whenIdle(() => void next(0));
  return () => {
    isWanted = false;
  };
}

/** Runs `work` when the browser is idle. Safari has no idle callbacks, so it waits 200 ms. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
