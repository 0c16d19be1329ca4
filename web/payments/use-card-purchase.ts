import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { removeLead } from "../leads/market-store.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { addPurchase, PURCHASES_KEY, type PurchasedLead } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { fetchStripe } from "./load-stripe.ts";
import { OWN_HOLDS_KEY } from "./own-holds.ts";
import {
  type Attempt,
  letGo,
  openPayment,
  type OpenPayment,
  payWithSaved,
  type Settled,
  settle,
} from "./purchase-api.ts";
import { SAVED_CARDS_KEY } from "./saved-cards-query.ts";

/** Where a purchase stands. */
export type Phase =
  | { name: "opening" }
  | { name: "refused"; code: string | null; message: string }
  | { name: "open"; payment: OpenPayment; isPaying: boolean; problem: string | null }
  /** The time is over, or an answer was lost: only Stripe knows what became of it. */
  | { name: "checking"; why: "time" | "answer" }
  | { name: "processing"; status: string }
  | { name: "ended" }
  | { name: "gone" }
  | { name: "delayed"; message: string }
  | { name: "bought"; purchase: PurchasedLead };

const FAILED = "Failed to process payment. Please try again.";
/** How often an undecided payment is asked about. */
const ASK_AGAIN_MS = 2_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The words of an error that is none of ours. */
function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return messageOf(error, FAILED);
  // A lost connection has a message of the browser's own, which helps nobody.
  return error instanceof Error && !(error instanceof TypeError) && error.message ? error.message : FAILED;
}

/**
 * Buys a lead with a card: sets it aside when it is called for, pays, and follows the payment until it is
 * certain what became of it.
 * @returns the phase and what can be done in it
 */
export function useCardPurchase(lead: LeadSummary) {
  const client = useQueryClient();
  const toast = useToast();
  const [phase, setPhase] = useState<Phase>({ name: "opening" });
  /** `isOver`: the window is closed. `isFollowed`: Stripe's word is waited for, no try counts any more. */
  const life = useRef({ isOver: false, isFollowed: false, isDecided: false });
  const buyer = useRef<PurchaseRequest | undefined>(undefined);

  const fail = (title: string, description: string) =>
    toast({ title, description, tone: "destructive" as const });

  function decide(next: Phase) {
    life.current.isDecided = true;
    void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
    setPhase(next);
  }

  function opened(payment: OpenPayment) {
    // Closed before the answer came.
    if (life.current.isOver) return void letGo(payment.holdId);
    setPhase({ name: "open", payment, isPaying: false, problem: null });
    void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
  }

  function refused(error: unknown) {
    const code = codeOf(error);
    if (code === "lead_closed" || code === "lead_not_found") removeLead(client, lead, "withdrawn");
    if (code === null && !(error instanceof TypeError)) fail("Payment Error", wordsOf(error));
    setPhase({ name: "refused", code, message: wordsOf(error) });
  }

  const whenOpened = useEffectEvent(opened);
  const whenRefused = useEffectEvent(refused);
  useEffect(() => {
    const { current } = life;
    current.isOver = false;
    openPayment(lead).then(
      (payment) => whenOpened(payment),
      (error: unknown) => whenRefused(error),
    );
    return () => {
      current.isOver = true;
    };
  }, [lead]);

  /** Takes in what became of the payment. @returns whether that is final */
  function takeIn({ status, purchase }: Settled): boolean {
    if (status === "sold" && purchase) {
      removeLead(client, lead, "bought");
      addPurchase(client, purchase);
      void client.invalidateQueries({ queryKey: PURCHASES_KEY });
      void client.invalidateQueries({ queryKey: SAVED_CARDS_KEY });
      toast({
        title: "Payment Successful",
        description: `${purchase.customerName} is in your pipeline under Leads.`,
      });
      decide({ name: "bought", purchase });
      return true;
    }
    if (status === "cancelled") decide({ name: "ended" });
    if (status === "refunded") decide({ name: "gone" });
    return status === "cancelled" || status === "refunded";
  }

  /** It is ours, only its details are late. @returns whether that is what the error says */
  function isDelayed(error: unknown): boolean {
    if (codeOf(error) !== "details_delayed") return false;
    removeLead(client, lead, "bought");
    void client.invalidateQueries({ queryKey: PURCHASES_KEY });
    decide({ name: "delayed", message: messageOf(error, "") });
    return true;
  }

  /** Asks until it is certain. */
  async function follow(holdId: string): Promise<void> {
    if (life.current.isFollowed) return;
    life.current.isFollowed = true;
    while (!life.current.isOver && !life.current.isDecided) {
      try {
        if (takeIn(await settle(holdId, buyer.current))) return;
      } catch (error) {
        if (isDelayed(error)) return;
        // No answer: the next one tells.
      }
      await wait(ASK_AGAIN_MS);
    }
  }

  const payment = phase.name === "open" ? phase.payment : null;
  function end(holdId: string, why: "time" | "answer") {
    setPhase({ name: "checking", why });
    void follow(holdId);
  }
  const timeIsOver = useEffectEvent((holdId: string) => end(holdId, "time"));
  useEffect(() => {
    if (!payment) return;
    const timer = setTimeout(() => timeIsOver(payment.holdId), Math.max(0, payment.endsAt - Date.now()));
    return () => clearTimeout(timer);
  }, [payment]);

  /** Shows that this try came to nothing; the payment may be tried again while the hold lasts. */
  function tryAgain(payment: OpenPayment, title: string, words: string) {
    fail(title, words);
    setPhase((now) =>
      now.name === "open" ? { name: "open", payment, isPaying: false, problem: words } : now,
    );
  }

  async function afterAttempt(payment: OpenPayment, attempt: Attempt): Promise<void> {
    if (attempt.refused) {
      const { code, message } = attempt.refused;
      // Cancelled under our hands, as when the time is over.
      if (code === "payment_intent_unexpected_state") return end(payment.holdId, "answer");
      return tryAgain(payment, "Payment Failed", message ?? FAILED);
    }
    const settled = await settle(payment.holdId, buyer.current);
    if (takeIn(settled)) return;
    const status = settled.status === "processing" ? "processing" : attempt.status;
    if (settled.status === "processing" || attempt.status === "succeeded") {
      toast({ title: "Payment Processing", description: `Payment status: ${status}` });
      setPhase({ name: "processing", status });
      return follow(payment.holdId);
    }
    tryAgain(payment, "Payment Processing", `Payment status: ${status}`);
  }

  /** Runs one try to pay. */
  async function pay(
    form: PurchaseRequest,
    tryIt: (payment: OpenPayment) => Promise<Attempt | "incomplete">,
  ) {
    if (phase.name !== "open" || phase.isPaying) return;
    const { payment } = phase;
    buyer.current = form;
    setPhase({ name: "open", payment, isPaying: true, problem: null });
    try {
      const attempt = await tryIt(payment);
      if (life.current.isOver || life.current.isFollowed) return;
      if (attempt === "incomplete") {
        return setPhase((now) => (now.name === "open" ? { ...now, isPaying: false } : now));
      }
      await afterAttempt(payment, attempt);
    } catch (error) {
      if (life.current.isFollowed) return;
      if (codeOf(error) === "card_declined")
        return tryAgain(payment, "Payment Failed", messageOf(error, FAILED));
      if (!isDelayed(error)) await recover(payment, wordsOf(error));
    }
  }

  /** A try ended without an answer. Whether anything was paid, only Stripe knows: it is asked. */
  async function recover(payment: OpenPayment, words: string): Promise<void> {
    fail("Payment Error", words);
    try {
      const settled = await settle(payment.holdId, buyer.current);
      if (takeIn(settled)) return;
      const isOpen = settled.status === "open" || settled.status === "action_needed";
      if (isOpen) return setPhase({ name: "open", payment, isPaying: false, problem: words });
    } catch {
      // Still no answer.
    }
    end(payment.holdId, "answer");
  }

  /** One tap with a card that was kept; a bank that wants to is let ask. */
  async function payWithKept(payment: OpenPayment, cardId: string): Promise<Attempt> {
    const settled = await payWithSaved(payment.holdId, cardId, buyer.current!);
    if (settled.status !== "action_needed") return { status: statusOf(settled) };
    const stripe = await fetchStripe(payment);
    const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret: payment.clientSecret });
    return error ? { refused: error } : { status: paymentIntent?.status ?? "processing" };
  }

  return {
    phase,
    /** Asks anew for a lead that could not be set aside. */
    retry() {
      setPhase({ name: "opening" });
      openPayment(lead).then(opened, refused);
    },
    pay,
    payWithCard: (form: PurchaseRequest, cardId: string) =>
      pay(form, (payment) => payWithKept(payment, cardId)),
    /** Closes the window, and lets the lead go if it is still ours to pay for. @returns whether it may close */
    leave(): boolean {
      if (phase.name === "open" && phase.isPaying) return false;
      if (phase.name === "open" && !life.current.isOver) {
        void letGo(phase.payment.holdId).then(() => client.invalidateQueries({ queryKey: OWN_HOLDS_KEY }));
      }
      life.current.isOver = true;
      return true;
    },
  };
}

/** Our word for a payment's state in Stripe's. */
function statusOf({ status }: Settled): string {
  if (status === "sold" || status === "refunded") return "succeeded";
  return status === "open" ? "requires_payment_method" : status;
}
