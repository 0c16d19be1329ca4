import { type ComponentType, useCallback, useEffect, useReducer, useRef, useState } from "react";

import { reloadIfIdle } from "./reload.ts";

/** A component that is loaded lazily, after the page. */
export type LazyPart<Props> = {
  /** Null until the component's code has loaded. */
  readonly component: ComponentType<Props> | null;
  /** Fetches the code once. @throws Error if it does not load; the next call retries */
  fetch: () => Promise<ComponentType<Props>>;
};

/** Creates a lazily loaded component. @param load imports the component's module */
export function createLazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let component: ComponentType<Props> | null = null;
  let pendingLoad: Promise<ComponentType<Props>> | null = null;
  const run = async () => {
    try {
      return (component = await load());
    } finally {
      pendingLoad = null;
    }
  };
  return {
    get component() {
      return component;
    },
    fetch: () => (component ? Promise.resolve(component) : (pendingLoad ??= run())),
  };
}

/**
 * Returns a late part after its code has loaded. Parts rendered by the server load before hydration, so that React does
 * not render them again (`dashboard/lazy-parts.ts`).
 * @param isWanted whether to fetch the code
 * @returns `Part` is null while the code loads; `error` after a failure, and functions to retry
 */
export function useLazyPart<Props>(part: LazyPart<Props>, isWanted: boolean) {
  const [error, setError] = useState<Error | null>(null);
  const [, showLoaded] = useReducer((loads: number) => loads + 1, 0);
  useEffect(() => {
    if (isWanted && !error && !part.component) part.fetch().then(showLoaded, setError);
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
  return { Part: isWanted ? part.component : null, error, retry, retryLoad };
}

const RETRY_MS = 1_000;
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
      Math.min(RETRY_MS * 2 ** tries.current, MAX_RETRY_MS),
    );
    tries.current += 1;
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
