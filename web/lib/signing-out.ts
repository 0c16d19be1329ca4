declare global {
  interface WindowEventMap {
    /**
     * Fired before signing out, while the session is still valid. Listeners that need the session start their last
     * requests and add the promises. An event, because most listeners are in code that loads with its feature.
     */
    "signing-out": CustomEvent<Promise<unknown>[]>;
  }
}

/**
 * Lets this window's listeners send their last requests before the session ends.
 * @param ms time limit for all of them
 */
export async function announceSignOut(ms: number): Promise<void> {
  const last: Promise<unknown>[] = [];
  dispatchEvent(new CustomEvent("signing-out", { detail: last }));
  if (last.length === 0) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([Promise.allSettled(last), late.promise]);
  clearTimeout(timer);
}
