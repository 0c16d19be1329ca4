import { useEffect, useEffectEvent, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf } from "../lib/api.ts";
import { isUnanswered } from "../lib/unanswered.ts";
import type { GoneCause } from "../market/market.ts";
import { NOT_CHARGED } from "./gone-notice.tsx";
import { payWithKept, takeDelay, type PaymentHandlers, type Try, tryToPay, errorText } from "./paying.ts";
import { letGo, openPayment, settle, takeHold } from "./purchase-api.ts";
import { heedsSale, ownHold, type Phase, type PurchaseEvent, uncertainHold } from "./purchase-phase.ts";
import { beginTurn, releaseTurn, type Turn, untilReleased } from "./purchase-turn.ts";
import { type PurchaseNews, usePurchaseNews } from "./use-purchase-news.ts";
import { followToEnd, type Send, useDeadline, useFollowing, usePurchasePhase } from "./use-purchase-phase.ts";

/** Shown when offline if no request for the hold was sent. */
const OFFLINE = `You're offline, so this lead can't be reserved for you. ${NOT_CHARGED} Try again once you have a connection.`;

/** Shown after a request for the hold without a response: the hold may have succeeded. */
const UNHEARD = `We don't know yet whether this lead is reserved for you. ${NOT_CHARGED} Try again to find out.`;

/** Shown when the buyer tries to pay offline. The form keeps its input. */
const OFFLINE_PAYING = `You're offline, so nothing was sent. ${NOT_CHARGED} Pay once you have a connection.`;

/** Shown while we hold the lead but could not create its payment. */
const NOT_STARTED = `The payment couldn't be started. ${NOT_CHARGED} The lead is still reserved for you.`;

/** Codes that a retry may fix while the lead is held. */
const MAY_BE_TRIED_AGAIN: ReadonlySet<string | null> = new Set([
  null,
  "payment_failed",
  "exchange_unavailable",
  "internal",
  "too_many_requests",
]);

/** Phases that end a purchase. */
const THROUGH: ReadonlySet<Phase["name"]> = new Set(["ended", "gone", "bought", "delayed"]);

/** Returns a function that creates the payment of a held lead and handles the result. */
function useOpening(lead: LeadSummary, send: Send, news: PurchaseNews) {
  const refused = (error: unknown) => {
    const code = codeOf(error);
    if (code === "hold_ended") return void send({ type: "uncertain", why: "time" });
    if (!MAY_BE_TRIED_AGAIN.has(code)) return refusedBy(error, send, news);
    const isOfBrowser = code === null && !isUnanswered(error);
    if (isOfBrowser) news.failed("Payment Error", errorText(error));
    const problem = isOfBrowser ? errorText(error) : NOT_STARTED;
    send({ type: "unopened", problem, isOurFault: code === "payment_failed" });
  };
  /** @param turn the purchase, which may have ended when the response arrives */
  return async (turn: Turn) => {
    try {
      const payment = await openPayment(lead);
      if (turn.isHere) send({ type: "opened", payment });
      else await releaseHold(turn, payment.holdId, news);
    } catch (error) {
      if (turn.isHere) refused(error);
    }
  };
}

/**
 * Releases the hold of a purchase that the buyer left, unless the lead is being bought again.
 * @param isFree whether the buyer may try the lead again at once
 * @returns whether the hold was released
 */
async function releaseHold(turn: Turn, holdId: string, news: PurchaseNews, isFree = false): Promise<boolean> {
  const isReleased = await releaseTurn(turn, () => letGo(holdId));
  if (isReleased) news.letGo(isFree);
  return isReleased;
}

/**
 * Reports a refused or failed request for the hold.
 * @param mayBeOurs whether a request for the hold may have arrived and succeeded
 */
function refusedBy(error: unknown, send: Send, news: PurchaseNews, mayBeOurs = true): void {
  const code = codeOf(error);
  if (code === "lead_closed" || code === "lead_not_found") news.withdrawn();
  const unheard = mayBeOurs ? UNHEARD : OFFLINE;
  send({ type: "refused", code, message: isUnanswered(error) ? unheard : errorText(error) });
  if (isUnanswered(error)) news.holdsChanged();
}

/** Maximum retries of a new provider's hold while the previous one is being released; then the delay step in ms. */
const MAX_RETRIES = 3;
const RETRY_MS = 800;

/** Takes a hold. Retries for a new provider, who may hold only one lead, while the previous hold is being released. */
async function takeAfterLeaving(lead: LeadSummary): Promise<Awaited<ReturnType<typeof takeHold>>> {
  const left = untilReleased();
  for (let retries = 0; ; retries++) {
    try {
      return await takeHold(lead);
    } catch (error) {
      if (!left || codeOf(error) !== "newcomer_limit" || retries === MAX_RETRIES) throw error;
      await left;
      // Retry at once, then wait longer: cancelling a payment takes time.
      await new Promise((resolve) => setTimeout(resolve, retries * RETRY_MS));
    }
  }
}

/** Takes the hold when the dialog opens. @returns functions to retry and to leave */
function useHold(lead: LeadSummary, send: Send, news: PurchaseNews) {
  const current = useRef<Turn | null>(null);
  /** Whether any request for the hold may have arrived. That includes the request for a tap before hydration. */
  const mayBeOurs = useRef(false);
  const open = useOpening(lead, send, news);
  async function take(turn: Turn) {
    if (navigator.onLine || window.earlyTake?.leadId === lead.id) mayBeOurs.current = true;
    try {
      await turn.untilFree;
      if (!turn.isHere) return;
      const hold = await takeAfterLeaving(lead);
      if (!turn.isHere) return void releaseHold(turn, hold.holdId, news);
      send({ type: "taken", hold });
      news.holdsChanged();
      void open(turn);
    } catch (error) {
      if (turn.isHere) refusedBy(error, send, news, mayBeOurs.current);
    }
  }
  const begun = useEffectEvent((turn: Turn) => {
    current.current = turn;
    news.back();
    void take(turn);
  });
  useEffect(() => {
    begun(beginTurn(lead.id));
    return () => void current.current?.leave();
  }, [lead.id]);
  return {
    /** Ends the purchase, so that other windows can release the lead. */
    rest() {
      void current.current?.leave();
    },
    /** Retries the hold or its payment. */
    askAgain() {
      const next = send({ type: "asked" });
      if (!next) return;
      if (!current.current?.isHere) current.current = beginTurn(lead.id);
      const turn = current.current;
      void (next.name === "held" ? open(turn) : take(turn));
    },
    /**
     * Ends the purchase when its dialog closes.
     * @param hold the unpaid hold to release, or null. `isFree`: the buyer may try the lead again at once
     */
    async end(hold: { holdId: string; isFree: boolean } | null) {
      const turn = current.current;
      if (!turn?.isHere) return;
      if (!hold) return turn.leave();
      news.leaving();
      if (!(await releaseHold(turn, hold.holdId, news, hold.isFree))) news.elsewhere();
    },
  };
}

/**
 * Buys a lead with a card. Takes the hold, creates the payment, pays, and follows the payment until its result is
 * certain.
 * @param goneReason why the lead left the market; `sold` during our hold means sold to us
 * @returns the phase and its actions
 */
export function useCardPurchase(lead: LeadSummary, goneReason: GoneCause | null) {
  const { phase, send, isOpen } = usePurchasePhase();
  const news = usePurchaseNews(lead);
  const hold = useHold(lead, send, news);
  const buyer = useRef<PurchaseRequest | undefined>(undefined);
  const handlers: PaymentHandlers = {
    take(event: PurchaseEvent) {
      const next = send(event);
      if (next) news.reached(next);
      return next;
    },
    sayFailed: news.failed,
    settle: (holdId) => settle(holdId, buyer.current),
  };

  // Do not end a purchase while its hold may still be ours.
  const isThrough = THROUGH.has(phase.name) || (phase.name === "refused" && phase.code !== null);
  const rest = useEffectEvent(hold.rest);
  useEffect(() => {
    if (isThrough) rest();
  }, [isThrough]);
  useDeadline(phase, send);
  const isSold = goneReason === "sold" && heedsSale(phase);
  useEffect(() => {
    if (isSold) send({ type: "sold" });
  }, [isSold, send]);
  useFollowing(phase, async (holdId) => {
    try {
      handlers.take({ type: "settled", settled: await handlers.settle(holdId) });
    } catch (error) {
      takeDelay(handlers, error);
    }
  });

  async function pay(form: PurchaseRequest, tryIt: Try) {
    if (phase.name !== "open" || !send({ type: "tried" })) return;
    buyer.current = form;
    if (!navigator.onLine) return void send({ type: "failed", problem: OFFLINE_PAYING });
    await tryToPay(handlers, phase.payment, tryIt, isOpen);
  }

  return {
    phase,
    retry: hold.askAgain,
    pay,
    payWithCard: (form: PurchaseRequest, cardId: string) =>
      pay(form, (payment) => payWithKept(payment, cardId, form)),
    /** Closes the dialog and releases an unpaid hold. @returns whether the dialog may close */
    leave(): boolean {
      if (phase.name === "open" && phase.isPaying) return false;
      const own = ownHold(phase);
      const isFree = phase.name === "held" && phase.isOurFault;
      void hold.end(own && { holdId: own.holdId, isFree });
      // The pending request may still create a hold.
      if (phase.name === "opening") news.holdsChanged();
      const undecided = uncertainHold(phase);
      if (undecided) void followToEnd(undecided, handlers.settle).then(news.settled);
      return true;
    },
  };
}
