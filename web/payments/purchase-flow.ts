import type { QueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf } from "../lib/api.ts";
import { isResponseUnknown } from "../lib/is-response-unknown.ts";
import { reload } from "../lib/query-client.ts";
import { removeLead } from "../market/market-store.ts";
import { refreshOwnHolds } from "../market/own-holds.ts";
import { recordRelease, setReleasing } from "../market/released-leads.ts";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import type { ToastMessage } from "../ui/toaster.tsx";
import { NOT_CHARGED } from "./gone-notice.tsx";
import { pollUntilDecided, reportLatePayment } from "./late-payment.ts";
import { delayedEvent, errorText, submitSavedCardPayment, tryToPay } from "./paying.ts";
import {
  fetchSettlement,
  type OpenPayment,
  openPayment,
  type PayResult,
  releaseHold,
  type Settled,
  takeHold,
} from "./purchase-api.ts";
import {
  getUncertainHoldId,
  getUnpaidHold,
  INITIAL_PHASE,
  nextPhase,
  type Phase,
  type PurchaseEvent,
  RETRYABLE_CODES,
} from "./purchase-phase.ts";
import {
  endAndRelease,
  endPurchaseSession,
  type PurchaseSession,
  startPurchaseSession,
  waitUntilFree,
} from "./purchase-session.ts";
import { SAVED_CARDS_KEY } from "./saved-cards-query.ts";

/** Shown when offline if no request for the hold was sent. */
const OFFLINE = `You're offline, so this lead can't be reserved for you. ${NOT_CHARGED} Try again once you have a connection.`;

/** Shown after a request for the hold without a response: the hold may have succeeded. */
const HOLD_UNKNOWN_TEXT = `We don't know yet whether this lead is reserved for you. ${NOT_CHARGED} Try again to find out.`;

/** Shown when the buyer tries to pay offline. The form keeps its input. */
const OFFLINE_PAYING = `You're offline, so nothing was sent. ${NOT_CHARGED} Try again when you're back online.`;

/** Shown while we hold the lead but could not create its payment. */
const NOT_STARTED = `The payment couldn't be started. ${NOT_CHARGED} The lead is still reserved for you.`;

/** Interval between requests about an undecided payment. */
const POLL_MS = 2_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type PhaseName = Phase["name"];
type PhaseOf<Name extends PhaseName> = Extract<Phase, { name: Name }>;

type FlowOptions = {
  lead: LeadSummary;
  client: QueryClient;
  toast: (message: ToastMessage) => void;
  /** Called with each new phase. */
  onPhase: (phase: Phase) => void;
};

/**
 * Buys a lead with a card. Takes the hold, creates the payment, pays, and follows the payment until its result is
 * certain. `nextPhase` decides what follows an event, and `#effects` lists what to do in each phase. The flow lives
 * outside React, because responses may arrive between two renders.
 */
export class PurchaseFlow {
  readonly #options: FlowOptions;
  #phase: Phase = INITIAL_PHASE;
  #session: PurchaseSession;
  /** Whether any request for the hold may have arrived. That includes the request for a tap before hydration. */
  #mayHaveHold = false;
  /** The buyer's details of the last attempt to pay. */
  #buyer: PurchaseRequest | undefined;

  /** What to do when a phase begins. A phase begins again when its details change. */
  readonly #effects: { [Name in PhaseName]: (phase: PhaseOf<Name>) => void } = {
    opening: () => void this.#takeHold(),
    refused: ({ code }) => this.#afterRefusal(code),
    held: (phase) => {
      void this.#expire(phase, phase.hold);
      if (phase.problem === null) void this.#createPayment();
    },
    open: (phase) => void this.#expire(phase, phase.payment),
    checking: (phase) => void this.#poll(phase),
    processing: (phase) => {
      this.#options.toast({ title: "Payment Processing", description: `Payment status: ${phase.status}` });
      void this.#poll(phase);
    },
    ended: () => this.#end(),
    gone: () => this.#end(),
    delayed: () => this.#endBought(),
    // Without a toast: the dialog says that the payment succeeded.
    bought: ({ purchase }) => {
      addPurchase(this.#options.client, purchase);
      this.#endBought();
      this.#refetch(SAVED_CARDS_KEY);
    },
  };

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#session = { leadId: options.lead.id, isActive: false };
  }

  /** Begins when the dialog opens. @returns a function that ends the purchase without releasing the lead */
  start(): () => void {
    this.#begin(this.#phase.name, this.#phase);
    return () => endPurchaseSession(this.#session);
  }

  /** Applies an event. @returns whether it changed the phase; false for a late event */
  send(event: PurchaseEvent): boolean {
    const next = nextPhase(this.#phase, event);
    if (next === this.#phase) return false;
    this.#phase = next;
    this.#options.onPhase(next);
    this.#begin(next.name, next);
    return true;
  }

  /** Retries the hold or its payment. */
  readonly retry = () => void this.send({ type: "asked" });

  /** Makes an attempt to pay. @param attempt resolves to `incomplete` if the fields show validation errors */
  async pay(
    buyer: PurchaseRequest,
    attempt: (payment: OpenPayment) => Promise<PayResult | "incomplete">,
  ): Promise<void> {
    const phase = this.#phase;
    if (phase.name !== "open" || !this.send({ type: "tried" })) return;
    this.#buyer = buyer;
    if (!navigator.onLine) return void this.send({ type: "failed", problem: OFFLINE_PAYING });
    const { payment } = phase;
    const outcome = await tryToPay(
      () => attempt(payment),
      () => this.#settle(payment.holdId),
      () => this.#phase.name !== "open",
    );
    if (!outcome) return;
    const { event, toast } = outcome;
    // A late failure is not shown. An unknown result always is.
    const isShown = this.send(event) || event.type === "uncertain";
    if (isShown && toast) this.#options.toast({ ...toast, tone: "destructive" });
  }

  payWithCard(buyer: PurchaseRequest, cardId: string): Promise<void> {
    return this.pay(buyer, (payment) => submitSavedCardPayment(payment, cardId, buyer));
  }

  /** Ends the purchase and releases an unpaid hold. @returns whether the dialog may close */
  close(): boolean {
    const { client, lead } = this.#options;
    const phase = this.#phase;
    if (phase.name === "open" && phase.isPaying) return false;
    const hold = getUnpaidHold(phase);
    if (hold && this.#session.isActive) {
      setReleasing(lead.id, true);
      void this.#release(this.#session, hold.holdId, phase.name === "held" && phase.isServerError);
    }
    endPurchaseSession(this.#session);
    // The pending request may still create a hold.
    if (phase.name === "opening") refreshOwnHolds(client);
    const undecidedId = getUncertainHoldId(phase);
    if (undecidedId !== null) void this.#reportLate(undecidedId);
    return true;
  }

  /** Reports the result of a payment that was uncertain when the dialog closed. */
  async #reportLate(holdId: string): Promise<void> {
    const settled = await pollUntilDecided(holdId, this.#settle);
    reportLatePayment(this.#options.client, this.#options.toast, settled);
    if (settled.status === "sold") this.#moveToPipeline();
  }

  #begin<Name extends PhaseName>(name: Name, phase: PhaseOf<Name>): void {
    this.#effects[name](phase);
  }

  /** Returns whether a phase still lasts and its dialog is open. */
  #isCurrent(phase: Phase): boolean {
    return this.#phase === phase && this.#session.isActive;
  }

  readonly #settle = (holdId: string): Promise<Settled> => fetchSettlement(holdId, this.#buyer);

  async #takeHold(): Promise<void> {
    const { lead, client } = this.#options;
    const session = startPurchaseSession(lead.id);
    this.#session = session;
    setReleasing(lead.id, false);
    if (navigator.onLine || window.earlyHold?.leadId === lead.id) this.#mayHaveHold = true;
    try {
      await waitUntilFree(lead.id);
      if (!session.isActive) return;
      const hold = await takeHold(lead);
      if (!session.isActive) return void this.#release(session, hold.holdId);
      this.send({ type: "taken", hold });
      refreshOwnHolds(client);
    } catch (error) {
      if (session.isActive) this.#refuse(error);
    }
  }

  async #createPayment(): Promise<void> {
    const session = this.#session;
    try {
      const payment = await openPayment(this.#options.lead);
      if (session.isActive) this.send({ type: "opened", payment });
      else await this.#release(session, payment.holdId);
    } catch (error) {
      if (session.isActive) this.#reportUnopened(error);
    }
  }

  /** Handles an error of the request that creates the payment. */
  #reportUnopened(error: unknown): void {
    const code = codeOf(error);
    if (code === "hold_ended") return void this.send({ type: "uncertain", why: "time" });
    if (!RETRYABLE_CODES.has(code)) return this.#refuse(error);
    const isBrowserError = code === null && !isResponseUnknown(error);
    const problem = isBrowserError ? errorText(error) : NOT_STARTED;
    if (isBrowserError)
      this.#options.toast({ title: "Payment Error", description: problem, tone: "destructive" });
    this.send({ type: "unopened", problem, isServerError: code === "payment_failed" });
  }

  /** Handles a refused or failed request for the hold. */
  #refuse(error: unknown): void {
    const unknownText = this.#mayHaveHold ? HOLD_UNKNOWN_TEXT : OFFLINE;
    const message = isResponseUnknown(error) ? unknownText : errorText(error);
    this.send({ type: "refused", code: codeOf(error), message });
  }

  #afterRefusal(code: string | null): void {
    const { client, lead } = this.#options;
    // Without a response, the hold may be ours.
    if (code === null) return refreshOwnHolds(client);
    endPurchaseSession(this.#session);
    if (code === "lead_closed" || code === "lead_not_found") removeLead(client, lead, "withdrawn");
  }

  /** Reports the payment as uncertain when its hold expires. */
  async #expire(phase: Phase, { endsAt }: { endsAt: number }): Promise<void> {
    await wait(Math.max(0, endsAt - Date.now()));
    if (this.#isCurrent(phase)) this.send({ type: "uncertain", why: "time" });
  }

  /** Polls an uncertain payment until Stripe decides or the dialog closes. After a failure the next poll retries. */
  async #poll(phase: PhaseOf<"checking" | "processing">): Promise<void> {
    while (this.#isCurrent(phase)) {
      try {
        this.send({ type: "settled", settled: await this.#settle(phase.holdId) });
      } catch (error) {
        const event = delayedEvent(error);
        if (event) this.send(event);
      }
      await wait(POLL_MS);
    }
  }

  /**
   * Releases the hold of a purchase that the buyer left, unless this window is buying the lead again.
   * @param canRetryAtOnce whether the buyer may try the lead again immediately
   */
  async #release(session: PurchaseSession, holdId: string, canRetryAtOnce = false): Promise<void> {
    const { client, lead } = this.#options;
    if (!(await endAndRelease(session, () => releaseHold(holdId)))) return;
    setReleasing(lead.id, false);
    if (!canRetryAtOnce) recordRelease(lead.id);
    refreshOwnHolds(client);
  }

  #end(): void {
    endPurchaseSession(this.#session);
    refreshOwnHolds(this.#options.client);
  }

  #endBought(): void {
    this.#moveToPipeline();
    this.#end();
  }

  /** Removes the bought lead from the market, and loads the purchases. */
  #moveToPipeline(): void {
    removeLead(this.#options.client, this.#options.lead, "bought");
    this.#refetch(PURCHASES_KEY);
  }

  #refetch(queryKey: readonly unknown[]): void {
    void reload(this.#options.client, queryKey);
  }
}
