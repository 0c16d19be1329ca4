declare global {
  interface WindowEventMap {
    /**
     * Somebody is about to be signed out, and their session is still valid: whatever needs it once more begins now, and adds what
     * it waits for. An event, because most of those who hear it are fetched with what they belong to.
     */
    "signing-out": CustomEvent<Promise<unknown>[]>;
  }
}

/**
 * Lets the parts of this window do what needs the session, before it ends.
 * @param ms how long they may take in all
 */
export async function sayFarewell(ms: number): Promise<void> {
  const last: Promise<unknown>[] = [];
  dispatchEvent(new CustomEvent("signing-out", { detail: last }));
  if (last.length === 0) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([Promise.allSettled(last), late.promise]);
  clearTimeout(timer);
}
