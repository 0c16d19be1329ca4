import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

import type { Settled } from "./purchase-api.ts";
import {
  nextPhase,
  getUnpaidHold,
  type Phase,
  type PurchaseEvent,
  INITIAL_PHASE,
  getUncertainHoldId,
} from "./purchase-phase.ts";

/** Interval between requests about an undecided payment. */
const POLL_MS = 2_000;
const MAX_WAIT_MS = 60_000;

const DECIDED: ReadonlySet<Settled["status"]> = new Set(["sold", "refunded", "cancelled"]);

/** Resolves after `ms`, or as soon as the connection returns. */
async function waitForTimeoutOrOnline(ms: number): Promise<void> {
  const over = new AbortController();
  const online = new Promise((resolve) => addEventListener("online", resolve, { signal: over.signal }));
  await Promise.race([wait(ms), online]);
  over.abort();
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Applies an event. @returns the new phase; null when the event changes nothing */
export type Send = (event: PurchaseEvent) => Phase | null;

/** Returns the purchase's phase and the function that changes it. `isOpen` returns whether an attempt still counts. */
export function usePurchasePhase(): { phase: Phase; send: Send; isOpen: () => boolean } {
  const [phase, setPhase] = useState(INITIAL_PHASE);
  // Use a ref, because responses may arrive between two renders.
  const latest = useRef(phase);
  const send = useCallback((event: PurchaseEvent) => {
    const next = nextPhase(latest.current, event);
    if (next === latest.current) return null;
    latest.current = next;
    setPhase(next);
    return next;
  }, []);
  const isOpen = useCallback(() => latest.current.name === "open", []);
  return { phase, send, isOpen };
}

/** Reports the payment as uncertain when the hold expires. */
export function useHoldExpiry(phase: Phase, send: Send): void {
  const endsAt = getUnpaidHold(phase)?.endsAt ?? null;
  useEffect(() => {
    if (endsAt === null) return;
    const leftMs = Math.max(0, endsAt - Date.now());
    const timer = setTimeout(() => send({ type: "uncertain", why: "time" }), leftMs);
    return () => clearTimeout(timer);
  }, [endsAt, send]);
}

/**
 * Polls a payment after its dialog closed, until Stripe decides or the page closes. The delay doubles up to one minute.
 * Retries immediately when the connection returns.
 */
export async function pollUntilDecided(
  holdId: string,
  settle: (holdId: string) => Promise<Settled>,
): Promise<Settled> {
  for (let waitMs = POLL_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const settled = await settle(holdId).catch(() => null);
    if (settled && DECIDED.has(settled.status)) return settled;
    await waitForTimeoutOrOnline(waitMs);
  }
}

/**
 * Polls an uncertain payment until Stripe decides or the dialog closes.
 * @param poll requests and handles the result; after a failure the next poll retries
 */
export function usePolling(phase: Phase, poll: (holdId: string) => Promise<void>): void {
  const holdId = getUncertainHoldId(phase);
  const pollNow = useEffectEvent(poll);
  useEffect(() => {
    if (holdId === null) return;
    const leaving = new AbortController();
    const startPolling = async () => {
      while (!leaving.signal.aborted) {
        await pollNow(holdId);
        await wait(POLL_MS);
      }
    };
    void startPolling();
    return () => leaving.abort();
  }, [holdId]);
}
