/** One purchase of a lead in this window, from opening its dialog to closing it. */
export type Turn = {
  readonly leadId: string;
  /** Whether its dialog is still open. */
  isActive: boolean;
  /**
   * Resolves once no window of this browser is releasing the lead. A request during a release might return the hold
   * that is about to end.
   */
  readonly untilFree: Promise<void>;
  /** Ends the purchase when its dialog closes, without releasing the hold. Resolves when other windows can see that. */
  readonly end: () => Promise<void>;
};

/** Releases that have not ended yet. */
const releases = new Set<Promise<boolean>>();

/**
 * Returns the name of a lead's lock. Every window that is buying the lead shares the lock. A window that releases the
 * lead needs the lock exclusively.
 */
const lockOf = (leadId: string) => `purchase:${leadId}`;

/** Starts a purchase of a lead. */
export function startPurchaseSession(leadId: string): Turn {
  const free = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const lockReleased = navigator.locks.request(lockOf(leadId), { mode: "shared" }, () => {
    free.resolve();
    return left.promise;
  });
  const session: Turn = {
    leadId,
    isActive: true,
    untilFree: free.promise,
    end() {
      session.isActive = false;
      left.resolve();
      return lockReleased;
    },
  };
  return session;
}

/**
 * Ends a purchase and releases its hold. Keeps the hold if this or another window of the browser is buying the lead
 * again.
 * @param releaseHold releases the hold
 * @returns whether the hold was released
 */
export async function endAndRelease(session: Turn, releaseHold: () => Promise<void>): Promise<boolean> {
  const release = session.end().then(() =>
    navigator.locks.request(lockOf(session.leadId), { ifAvailable: true }, async (lock) => {
      if (lock) await releaseHold();
      return lock !== null;
    }),
  );
  releases.add(release);
  return release.finally(() => releases.delete(release));
}

/** Resolves once this window's releases have ended. Returns null if there are none. */
export function waitForReleases(): Promise<unknown> | null {
  return releases.size === 0 ? null : Promise.all(releases);
}
