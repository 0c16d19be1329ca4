import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

import type { Settled } from "./purchase-api.ts";
import {
  nextPhase,
  ownHold,
  type Phase,
  type PurchaseEvent,
  START,
  uncertainHold,
} from "./purchase-phase.ts";

/** How often an undecided payment is asked about. */
const ASK_AGAIN_MS = 2_000;
const MAX_WAIT_MS = 60_000;

const DECIDED: ReadonlySet<Settled["status"]> = new Set(["sold", "refunded", "cancelled"]);

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes in an event. @returns what the purchase became by it; null when it changes nothing */
export type Send = (event: PurchaseEvent) => Phase | null;

/** The phase of a purchase, and the one way to change it. `isOpen`: whether a try to pay still counts. */
export function usePurchasePhase(): { phase: Phase; send: Send; isOpen: () => boolean } {
  const [phase, setPhase] = useState(START);
  // Answers come at any time, also between two renders.
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

/** Ends the time to pay when it is over. */
export function useDeadline(phase: Phase, send: Send): void {
  const endsAt = ownHold(phase)?.endsAt ?? null;
  useEffect(() => {
    if (endsAt === null) return;
    const leftMs = Math.max(0, endsAt - Date.now());
    const timer = setTimeout(() => send({ type: "uncertain", why: "time" }), leftMs);
    return () => clearTimeout(timer);
  }, [endsAt, send]);
}

/**
 * Asks about a payment whose dialog was closed, until Stripe has decided it or the page is left. The wait doubles up
 * to a minute; a connection that returns ends it.
 */
export async function followToEnd(
  holdId: string,
  settle: (holdId: string) => Promise<Settled>,
): Promise<Settled> {
  for (let waitMs = ASK_AGAIN_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const settled = await settle(holdId).catch(() => null);
    if (settled && DECIDED.has(settled.status)) return settled;
    await Promise.race([
      wait(waitMs),
      new Promise((resolve) => addEventListener("online", resolve, { once: true })),
    ]);
  }
}

/**
 * Asks about an uncertain payment until it is decided or the window closes.
 * @param ask takes in the answer; without one, the next tells
 */
export function useFollowing(phase: Phase, ask: (holdId: string) => Promise<void>): void {
  const holdId = uncertainHold(phase);
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    if (holdId === null) return;
    const leaving = new AbortController();
    const follow = async () => {
      while (!leaving.signal.aborted) {
        await askNow(holdId);
        await wait(ASK_AGAIN_MS);
      }
    };
    void follow();
    return () => leaving.abort();
  }, [holdId]);
}
