import { useEffect, useEffectEvent, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf } from "../lib/api.ts";
import type { GoneReason } from "../market/market.ts";
import { NOT_CHARGED } from "./gone-notice.tsx";
import { payWithKept, takeDelay, type PaymentHandlers, type Try, tryToPay, errorText } from "./paying.ts";
import { letGo, openPayment, type OpenPayment, settle } from "./purchase-api.ts";
import type { PurchaseEvent } from "./purchase-phase.ts";
import { type PurchaseNews, usePurchaseNews } from "./use-purchase-news.ts";
import { type Send, useDeadline, useFollowing, usePurchasePhase } from "./use-purchase-phase.ts";

/** Said only before anything can have been paid. */
const OFFLINE = `You're offline, so this lead is not reserved. ${NOT_CHARGED} Try again once you have a connection.`;

/** Sets the lead aside as soon as the window opens. @returns the way to ask again, and to leave */
function useHold(lead: LeadSummary, send: Send, news: PurchaseNews) {
  const isOver = useRef(false);
  const opened = (payment: OpenPayment) => {
    // Closed before the answer came.
    if (isOver.current) return void letGo(payment.holdId);
    send({ type: "opened", payment });
    news.holdsChanged();
  };
  const refused = (error: unknown) => {
    const code = codeOf(error);
    if (code === "lead_closed" || code === "lead_not_found") news.withdrawn();
    if (code === null && !(error instanceof TypeError)) news.failed("Payment Error", errorText(error));
    send({ type: "refused", code, message: navigator.onLine ? errorText(error) : OFFLINE });
  };
  const whenOpened = useEffectEvent(opened);
  const whenRefused = useEffectEvent(refused);
  useEffect(() => {
    isOver.current = false;
    openPayment(lead).then(
      (payment) => whenOpened(payment),
      (error: unknown) => whenRefused(error),
    );
    return () => {
      isOver.current = true;
    };
  }, [lead]);
  return {
    askAgain() {
      send({ type: "asked" });
      openPayment(lead).then(opened, refused);
    },
    /** @param holdId the hold to let go of, if it is still ours to pay for */
    end(holdId: string | null) {
      if (holdId && !isOver.current) void letGo(holdId).then(news.letGo);
      isOver.current = true;
    },
  };
}

/**
 * Buys a lead with a card: sets it aside when it is called for, pays, and follows the payment until it is
 * certain what became of it.
 * @param goneReason what the market says of the lead: sold, while it is set aside for us, means to us
 * @returns the phase and what can be done in it
 */
export function useCardPurchase(lead: LeadSummary, goneReason: GoneReason | null) {
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

  useDeadline(phase, send);
  const isSold = goneReason === "sold" && phase.name === "open";
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
    /** Asks anew for a lead that could not be set aside. */
    retry: hold.askAgain,
    pay,
    payWithCard: (form: PurchaseRequest, cardId: string) =>
      pay(form, (payment) => payWithKept(payment, cardId, form)),
    /** Closes the window, and lets the lead go if it is still ours to pay for. @returns whether it may close */
    leave(): boolean {
      const payment = phase.name === "open" ? phase : null;
      if (payment?.isPaying) return false;
      hold.end(payment?.payment.holdId ?? null);
      return true;
    },
  };
}
