import type { ContactOutcome } from "../../contract/contacts.ts";
import { createStore } from "../lib/store.ts";
import type { StoredText } from "../lib/stored-text.ts";

/** A call started on this device with an outcome that is still to be logged. */
export type Call = {
  purchaseId: string;
  /** Idempotency key of the log entry, so that retries log the call only once. */
  entryKey: string;
  /** Start time by this device's clock (epoch ms). */
  startedAt: number;
  /** `away`: the user is on the call. `asking`: we ask for the outcome. `proposing`: we propose the next action. */
  state: "away" | "asking" | "proposing";
  outcome: ContactOutcome | null;
};

export type CallView = {
  call: Call | null;
  /** Whether the open lead shows the question. If so, it does not appear at the edge of the screen. */
  isShownInLead: boolean;
};

/** Ignore stored calls older than this, because users no longer remember how they went. */
const MAX_CALL_AGE_MS = 4 * 60 * 60 * 1000;

const NO_CALL: CallView = { call: null, isShownInLead: false };

/** Parses a stored call. Returns null if it is too old or another release wrote it in an unknown format. */
function readCall(text: string | null, now: number): Call | null {
  try {
    const { purchaseId, entryKey, startedAt } = JSON.parse(text ?? "null") as Partial<Call>;
    if (typeof purchaseId !== "string" || typeof entryKey !== "string") return null;
    if (typeof startedAt !== "number" || now - startedAt > MAX_CALL_AGE_MS) return null;
    return { purchaseId, entryKey, startedAt, state: "asking", outcome: null };
  } catch {
    return null;
  }
}

/**
 * Remembers which lead a provider called and asks for the outcome when the provider returns. It remembers one call at a
 * time: a new call replaces the previous one.
 */
export class CallTracker {
  readonly #stored: StoredText;
  readonly #view = createStore(NO_CALL);
  readonly #leads = new Map<string, number>();
  #isRestored = false;

  /** @param stored the current call, without the customer's name: the phone may discard this page during the call */
  constructor(stored: StoredText) {
    this.#stored = stored;
  }

  readonly subscribe = (listener: () => void) => {
    this.#restore();
    return this.#view.subscribe(listener);
  };

  readonly view = this.#view.read;

  /** Starts a call. @param now this device's time (epoch ms) */
  start(purchaseId: string, now: number): void {
    this.#show({ purchaseId, entryKey: crypto.randomUUID(), startedAt: now, state: "away", outcome: null });
  }

  /** Asks for the outcome immediately, for a call made from another phone. */
  askNow(purchaseId: string, now: number): void {
    this.start(purchaseId, now);
    this.askOnReturn();
  }

  /** Asks for the outcome. Call this when the user returns to the page. */
  askOnReturn(): void {
    const { call } = this.view();
    if (call?.state === "away") this.#show({ ...call, state: "asking" });
  }

  /** Returns the time since the call began, in ms, or 0 without a call. */
  getElapsedMs(): number {
    const { call } = this.view();
    return call ? Math.max(0, Date.now() - call.startedAt) : 0;
  }

  /** Stores the call's outcome and moves on to proposing the next action. */
  logOutcome(outcome: ContactOutcome): void {
    const { call } = this.view();
    if (call) this.#show({ ...call, state: "proposing", outcome });
  }

  /** Ends the call without asking for its outcome again. */
  end(): void {
    this.#show(null);
  }

  /** Marks a lead that shows the question itself while it is on screen. @returns a function that removes the mark */
  markShown(purchaseId: string): () => void {
    const count = (by: number) => {
      this.#leads.set(purchaseId, (this.#leads.get(purchaseId) ?? 0) + by);
      this.#show(this.view().call);
    };
    count(1);
    return () => count(-1);
  }

  /** Restores the call from storage, because a phone may discard a background page. */
  #restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    const call = readCall(this.#stored.read(), Date.now());
    if (call) this.#show(call);
  }

  #show(call: Call | null): void {
    this.#stored.write(call && call.state !== "proposing" ? JSON.stringify(call) : null);
    const isShownInLead = call !== null && (this.#leads.get(call.purchaseId) ?? 0) > 0;
    this.#view.write({ call, isShownInLead });
  }
}
