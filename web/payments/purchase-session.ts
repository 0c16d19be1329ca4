/** One purchase of a lead in this window. Ends when its dialog closes or when the hold is no longer ours. */
export type PurchaseSession = {
  readonly leadId: string;
  /** Whether the purchase is still in progress. */
  isActive: boolean;
};

/** The purchase with an open dialog in this window. */
let current: PurchaseSession | null = null;

/** This window's releases that have not ended yet, by lead. */
const releases = new Map<string, Promise<void>>();

/** Starts a purchase of a lead. */
export function startPurchaseSession(leadId: string): PurchaseSession {
  current = { leadId, isActive: true };
  return current;
}

/** Ends a purchase when its dialog closes, without releasing the hold. */
export function endPurchaseSession(session: PurchaseSession): void {
  session.isActive = false;
  if (current === session) current = null;
}

/**
 * Ends a purchase and releases its hold. Keeps the hold if this window is buying the lead again.
 * @param releaseHold releases the hold
 * @returns whether the hold was released
 */
export async function endAndRelease(
  session: PurchaseSession,
  releaseHold: () => Promise<void>,
): Promise<boolean> {
  endPurchaseSession(session);
  const { leadId } = session;
  if (current?.leadId === leadId) return false;
  const release = releaseHold().finally(() => releases.delete(leadId));
  releases.set(leadId, release);
  await release;
  return true;
}

/**
 * Resolves once this window is not releasing the lead. A request during a release might return the hold that is about
 * to end.
 */
export async function waitUntilFree(leadId: string): Promise<void> {
  await releases.get(leadId);
}

/** Resolves once this window's releases have ended. Returns null if there are none. */
export function waitForReleases(): Promise<unknown> | null {
  return releases.size === 0 ? null : Promise.all(releases.values());
}
