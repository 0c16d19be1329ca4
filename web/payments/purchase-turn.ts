/** One purchase of a lead in this window, from opening its dialog to closing it. */
export type Turn = {
  readonly leadId: string;
  /** Whether its dialog is still open. */
  isHere: boolean;
  /**
   * Resolves once no window of this browser is releasing the lead. A request during a release might return the hold
   * that is about to end.
   */
  readonly untilFree: Promise<void>;
  /** Ends the purchase when its dialog closes, without releasing the hold. Resolves when other windows can see that. */
  readonly leave: () => Promise<void>;
};

/** Releases that have not ended yet. */
const releases = new Set<Promise<boolean>>();

/**
 * Returns the name of a lead's lock. Every window that is buying the lead shares the lock. A window that releases the
 * lead needs the lock exclusively.
 */
const lockOf = (leadId: string) => `purchase:${leadId}`;

/** Starts a purchase of a lead. */
export function beginTurn(leadId: string): Turn {
  const free = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const ended = navigator.locks.request(lockOf(leadId), { mode: "shared" }, () => {
    free.resolve();
    return left.promise;
  });
  const turn: Turn = {
    leadId,
    isHere: true,
    untilFree: free.promise,
    leave() {
      turn.isHere = false;
      left.resolve();
      return ended;
    },
  };
  return turn;
}

/**
 * Ends a purchase and releases its hold. Keeps the hold if this or another window of the browser is buying the lead
 * again.
 * @param letGo releases the hold
 * @returns whether the hold was released
 */
export async function releaseTurn(turn: Turn, letGo: () => Promise<void>): Promise<boolean> {
  const release = turn.leave().then(() =>
    navigator.locks.request(lockOf(turn.leadId), { ifAvailable: true }, async (lock) => {
      if (lock) await letGo();
      return lock !== null;
    }),
  );
  releases.add(release);
  return release.finally(() => releases.delete(release));
}

/** Resolves once this window's releases have ended. Returns null if there are none. */
export function untilReleased(): Promise<unknown> | null {
  return releases.size === 0 ? null : Promise.all(releases);
}
