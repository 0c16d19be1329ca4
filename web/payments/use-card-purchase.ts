import { useEffect, useEffectEvent, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf } from "../lib/api.ts";
import type { GoneReason } from "../market/market.ts";
import { NOT_CHARGED } from "./gone-notice.tsx";
import { payWithKept, takeDelay, type PaymentHandlers, type Try, tryToPay, errorText } from "./paying.ts";
import { isLeaving, letGoSoon, takeBack } from "./grace.ts";
import { letGo, openPayment, type OwnHold, settle, takeHold } from "./purchase-api.ts";
import { ownHold, type PurchaseEvent } from "./purchase-phase.ts";
import { type PurchaseNews, usePurchaseNews } from "./use-purchase-news.ts";
import { type Send, useDeadline, useFollowing, usePurchasePhase } from "./use-purchase-phase.ts";

/** Said only before anything can have been paid. */
const OFFLINE = `You're offline, so this lead is not reserved. ${NOT_CHARGED} Try again once you have a connection.`;

/** Said while the lead is ours and only its payment is missing. */
const NOT_STARTED = `The payment couldn't be started. ${NOT_CHARGED} The lead is still set aside for you.`;

/** What may be cured by asking once more, while the lead is ours. */
const MAY_BE_TRIED_AGAIN: ReadonlySet<string | null> = new Set([
  null,
  "payment_failed",
  "exchange_unavailable",
  "internal",
  "too_many_requests",
]);

/** Starts the payment of a lead that is set aside for us, and takes in what came of it. */
function useOpening(lead: LeadSummary, send: Send, news: PurchaseNews) {
  const refused = (error: unknown) => {
    const code = codeOf(error);
    if (code === "hold_ended") return void send({ type: "uncertain", why: "time" });
    if (!MAY_BE_TRIED_AGAIN.has(code)) return refusedBy(error, send, news);
    const isOfBrowser = code === null && !(error instanceof TypeError);
    if (isOfBrowser) news.failed("Payment Error", errorText(error));
    const problem = isOfBrowser ? errorText(error) : NOT_STARTED;
    send({ type: "unopened", problem, isOurFault: code === "payment_failed" });
  };
  /** @param isOver whether the window was left meanwhile, and the lead with it */
  return async (isOver: () => boolean) => {
    try {
      const payment = await openPayment(lead);
      if (!isOver()) send({ type: "opened", payment });
      else if (!isLeaving(payment.holdId)) await letGo(payment.holdId);
    } catch (error) {
      if (!isOver()) refused(error);
    }
  };
}

function refusedBy(error: unknown, send: Send, news: PurchaseNews): void {
  const code = codeOf(error);
  if (code === "lead_closed" || code === "lead_not_found") news.withdrawn();
  send({ type: "refused", code, message: navigator.onLine ? errorText(error) : OFFLINE });
}

/** Sets the lead aside as soon as the window opens, or takes it back. @returns the way to ask again, and to leave */
function useHold(lead: LeadSummary, send: Send, news: PurchaseNews) {
  const isOver = useRef(false);
  const openIt = useOpening(lead, send, news);
  const open = () => void openIt(() => isOver.current);
  const taken = (hold: OwnHold) => {
    // Closed before the answer came.
    if (isOver.current) return void letGo(hold.holdId);
    send({ type: "taken", hold });
    news.holdsChanged();
    open();
  };
  const refused = (error: unknown) => refusedBy(error, send, news);
  const whenBack = useEffectEvent(() => {
    takeBack(lead.id);
    news.back();
  });
  const whenTaken = useEffectEvent(taken);
  const whenRefused = useEffectEvent(refused);
  useEffect(() => {
    isOver.current = false;
    whenBack();
    takeHold(lead).then(
      (hold) => whenTaken(hold),
      (error: unknown) => whenRefused(error),
    );
    return () => {
      isOver.current = true;
    };
  }, [lead]);
  return {
    /** Asks again for what could not be had: the lead, or its payment. */
    askAgain() {
      const next = send({ type: "asked" });
      if (next?.name === "held") open();
      else if (next) takeHold(lead).then(taken, refused);
    },
    /** @param hold what to let go of, if it is still ours to pay for; `isFree`: that costs no waiting time */
    end(hold: { holdId: string; endsAt: number; isFree: boolean } | null) {
      if (hold && !isOver.current) {
        letGoSoon({ leadId: lead.id, ...hold }, () => news.letGo(hold.isFree));
        news.leaving();
      }
      isOver.current = true;
    },
  };
}

/**
 * Buys a lead with a card: sets it aside when it is called for, starts its payment, pays, and follows the
 * payment until it is certain what became of it.
 * @param goneReason what the market says of the lead: sold, while it is set aside for us, means to us
 * @param onTakeBack opens the purchase again that was left a moment ago
 * @returns the phase and what can be done in it
 */
export function useCardPurchase(lead: LeadSummary, goneReason: GoneReason | null, onTakeBack: () => void) {
  const { phase, send, isOpen } = usePurchasePhase();
  const news = usePurchaseNews(lead, onTakeBack);
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

  useDeadline(phase, send);
  const isSold = goneReason === "sold" && ownHold(phase) !== null;
  useEffect(() => {
    if (isSold) send({ type: "uncertain", why: "answer" });
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
    await tryToPay(handlers, phase.payment, tryIt, isOpen);
  }

  return {
    phase,
    /** Asks anew for a lead that could not be set aside, or for its payment. */
    retry: hold.askAgain,
    pay,
    payWithCard: (form: PurchaseRequest, cardId: string) =>
      pay(form, (payment) => payWithKept(payment, cardId, form)),
    /** Closes the window, and lets the lead go soon if it is still ours to pay for. @returns whether it may close */
    leave(): boolean {
      if (phase.name === "open" && phase.isPaying) return false;
      const own = ownHold(phase);
      const isFree = phase.name === "held" && phase.isOurFault;
      hold.end(own && { holdId: own.holdId, endsAt: own.endsAt, isFree });
      return true;
    },
  };
}
