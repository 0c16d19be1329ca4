import { useEffect, useEffectEvent, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf } from "../lib/api.ts";
import { isResponseUnknown } from "../lib/is-response-unknown.ts";
import type { LeadGoneReason } from "../market/market.ts";
import { NOT_CHARGED } from "./gone-notice.tsx";
import {
  submitSavedCardPayment,
  handleDetailsDelayed,
  type PaymentHandlers,
  type Try,
  tryToPay,
  errorText,
} from "./paying.ts";
import { releaseHold, openPayment, fetchSettlement, takeHold } from "./purchase-api.ts";
import {
  isAffectedBySale,
  getUnpaidHold,
  type Phase,
  type PurchaseEvent,
  getUncertainHoldId,
  RETRYABLE_CODES,
} from "./purchase-phase.ts";
import {
  endAndRelease,
  endPurchaseSession,
  startPurchaseSession,
  type Turn,
  waitForReleases,
  waitUntilFree,
} from "./purchase-session.ts";
import { type PurchaseEffects, usePurchaseEffects } from "./use-purchase-effects.ts";
import {
  pollUntilDecided,
  type Send,
  useHoldExpiry,
  usePolling,
  usePurchasePhase,
} from "./use-purchase-phase.ts";

/** Shown when offline if no request for the hold was sent. */
const OFFLINE = `You're offline, so this lead can't be reserved for you. ${NOT_CHARGED} Try again once you have a connection.`;

/** Shown after a request for the hold without a response: the hold may have succeeded. */
const HOLD_UNKNOWN_TEXT = `We don't know yet whether this lead is reserved for you. ${NOT_CHARGED} Try again to find out.`;

/** Shown when the buyer tries to pay offline. The form keeps its input. */
const OFFLINE_PAYING = `You're offline, so nothing was sent. ${NOT_CHARGED} Try again when you're back online.`;

/** Shown while we hold the lead but could not create its payment. */
const NOT_STARTED = `The payment couldn't be started. ${NOT_CHARGED} The lead is still reserved for you.`;

/** Phases that end a purchase. */
const FINAL_PHASES: ReadonlySet<Phase["name"]> = new Set(["ended", "gone", "bought", "delayed"]);

/** Returns a function that creates the payment of a held lead and handles the result. */
function useCreatePayment(lead: LeadSummary, send: Send, effects: PurchaseEffects) {
  const refused = (error: unknown) => {
    const code = codeOf(error);
    if (code === "hold_ended") return void send({ type: "uncertain", why: "time" });
    if (!RETRYABLE_CODES.has(code)) return refusedBy(error, send, effects);
    const isBrowserError = code === null && !isResponseUnknown(error);
    if (isBrowserError) effects.failed("Payment Error", errorText(error));
    const problem = isBrowserError ? errorText(error) : NOT_STARTED;
    send({ type: "unopened", problem, isServerError: code === "payment_failed" });
  };
  /** @param turn the purchase, which may have ended when the response arrives */
  return async (session: Turn) => {
    try {
      const payment = await openPayment(lead);
      if (session.isActive) send({ type: "opened", payment });
      else await releaseAbandonedHold(session, payment.holdId, effects);
    } catch (error) {
      if (session.isActive) refused(error);
    }
  };
}

/**
 * Releases the hold of a purchase that the buyer left, unless this window is buying the lead again.
 * @param canRetryAtOnce whether the buyer may try the lead again immediately
 */
async function releaseAbandonedHold(
  session: Turn,
  holdId: string,
  effects: PurchaseEffects,
  canRetryAtOnce = false,
): Promise<void> {
  if (await endAndRelease(session, () => releaseHold(holdId))) effects.onReleased(canRetryAtOnce);
}

/**
 * Reports a refused or failed request for the hold.
 * @param mayHaveHold whether a request for the hold may have arrived and succeeded
 */
function refusedBy(error: unknown, send: Send, effects: PurchaseEffects, mayHaveHold = true): void {
  const code = codeOf(error);
  if (code === "lead_closed" || code === "lead_not_found") effects.withdrawn();
  const unknownText = mayHaveHold ? HOLD_UNKNOWN_TEXT : OFFLINE;
  send({ type: "refused", code, message: isResponseUnknown(error) ? unknownText : errorText(error) });
  if (isResponseUnknown(error)) effects.holdsChanged();
}

/** Maximum retries of a new provider's hold while the previous one is being released; then the delay step in ms. */
const MAX_RETRIES = 3;
const RETRY_MS = 800;

/** Takes a hold. Retries for a new provider, who may hold only one lead, while the previous hold is being released. */
async function takeHoldAfterRelease(lead: LeadSummary): Promise<Awaited<ReturnType<typeof takeHold>>> {
  const left = waitForReleases();
  for (let retries = 0; ; retries++) {
    try {
      return await takeHold(lead);
    } catch (error) {
      if (!left || codeOf(error) !== "newcomer_limit" || retries === MAX_RETRIES) throw error;
      await left;
      // Retry immediately, then wait longer: cancelling a payment takes time.
      await new Promise((resolve) => setTimeout(resolve, retries * RETRY_MS));
    }
  }
}

/** Takes the hold when the dialog opens. @returns functions to retry and to leave */
function useHold(lead: LeadSummary, send: Send, effects: PurchaseEffects) {
  const current = useRef<Turn | null>(null);
  /** Whether any request for the hold may have arrived. That includes the request for a tap before hydration. */
  const mayHaveHold = useRef(false);
  const open = useCreatePayment(lead, send, effects);
  async function take(session: Turn) {
    if (navigator.onLine || window.earlyHold?.leadId === lead.id) mayHaveHold.current = true;
    try {
      await waitUntilFree(lead.id);
      if (!session.isActive) return;
      const hold = await takeHoldAfterRelease(lead);
      if (!session.isActive) return void releaseAbandonedHold(session, hold.holdId, effects);
      send({ type: "taken", hold });
      effects.holdsChanged();
      void open(session);
    } catch (error) {
      if (session.isActive) refusedBy(error, send, effects, mayHaveHold.current);
    }
  }
  const begun = useEffectEvent((session: Turn) => {
    current.current = session;
    effects.back();
    void take(session);
  });
  useEffect(() => {
    begun(startPurchaseSession(lead.id));
    return () => {
      if (current.current) endPurchaseSession(current.current);
    };
  }, [lead.id]);
  return {
    /** Ends the purchase without releasing the lead. */
    rest() {
      if (current.current) endPurchaseSession(current.current);
    },
    /** Retries the hold or its payment. */
    retryHold() {
      const next = send({ type: "asked" });
      if (!next) return;
      if (!current.current?.isActive) current.current = startPurchaseSession(lead.id);
      const session = current.current;
      void (next.name === "held" ? open(session) : take(session));
    },
    /**
     * Ends the purchase when its dialog closes.
     * @param hold the unpaid hold to release, or null. `canRetryAtOnce`: the buyer may try the lead again immediately
     */
    async end(hold: { holdId: string; canRetryAtOnce: boolean } | null) {
      const session = current.current;
      if (!session?.isActive) return;
      if (!hold) return endPurchaseSession(session);
      effects.releasing();
      await releaseAbandonedHold(session, hold.holdId, effects, hold.canRetryAtOnce);
    },
  };
}

/**
 * Buys a lead with a card. Takes the hold, creates the payment, pays, and follows the payment until its result is
 * certain.
 * @param goneReason why the lead left the market; `sold` during our hold means sold to us
 * @returns the phase and its actions
 */
export function useCardPurchase(lead: LeadSummary, goneReason: LeadGoneReason | null) {
  const { phase, send, isOpen } = usePurchasePhase();
  const effects = usePurchaseEffects(lead);
  const hold = useHold(lead, send, effects);
  const buyer = useRef<PurchaseRequest | undefined>(undefined);
  const handlers: PaymentHandlers = {
    apply(event: PurchaseEvent) {
      const next = send(event);
      if (next) effects.reached(next);
      return next;
    },
    reportFailure: effects.failed,
    settle: (holdId) => fetchSettlement(holdId, buyer.current),
  };

  // Do not end a purchase while its hold may still be ours.
  const isFinished = FINAL_PHASES.has(phase.name) || (phase.name === "refused" && phase.code !== null);
  const endSession = useEffectEvent(hold.rest);
  useEffect(() => {
    if (isFinished) endSession();
  }, [isFinished]);
  useHoldExpiry(phase, send);
  const isSold = goneReason === "sold" && isAffectedBySale(phase);
  useEffect(() => {
    if (isSold) send({ type: "sold" });
  }, [isSold, send]);
  usePolling(phase, async (holdId) => {
    try {
      handlers.apply({ type: "settled", settled: await handlers.settle(holdId) });
    } catch (error) {
      handleDetailsDelayed(handlers, error);
    }
  });

  async function pay(form: PurchaseRequest, attemptPayment: Try) {
    if (phase.name !== "open" || !send({ type: "tried" })) return;
    buyer.current = form;
    if (!navigator.onLine) return void send({ type: "failed", problem: OFFLINE_PAYING });
    await tryToPay(handlers, phase.payment, attemptPayment, isOpen);
  }

  return {
    phase,
    retry: hold.retryHold,
    pay,
    payWithCard: (form: PurchaseRequest, cardId: string) =>
      pay(form, (payment) => submitSavedCardPayment(payment, cardId, form)),
    /** Closes the dialog and releases an unpaid hold. @returns whether the dialog may close */
    close(): boolean {
      if (phase.name === "open" && phase.isPaying) return false;
      const own = getUnpaidHold(phase);
      const canRetryAtOnce = phase.name === "held" && phase.isServerError;
      void hold.end(own && { holdId: own.holdId, canRetryAtOnce });
      // The pending request may still create a hold.
      if (phase.name === "opening") effects.holdsChanged();
      const undecided = getUncertainHoldId(phase);
      if (undecided) void pollUntilDecided(undecided, handlers.settle).then(effects.settled);
      return true;
    },
  };
}
