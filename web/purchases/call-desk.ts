import type { ContactOutcome } from "../../contract/contacts.ts";

/** A call started here that still needs its outcome logged. */
export type Call = {
  purchaseId: string;
  /** Idempotency key of the log entry: retries still log one call. */
  entryKey: string;
  /** Start time by this device's clock (epoch ms). */
  startedAt: number;
  /** `away`: still calling. `asking`: asks for the outcome. `proposing`: outcome logged, next action proposed. */
  state: "away" | "asking" | "proposing";
  outcome: ContactOutcome | null;
};

export type CallView = {
  call: Call | null;
  /** True while the open lead shows the question. The follow-up at the screen edge then stays hidden. */
  isShownByLead: boolean;
};

/** Persists the current call while the phone app covers this page. */
export type CallMemory = {
  read: () => string | null;
  /** Null deletes the stored call. */
  write: (text: string | null) => void;
};

/** After this long, users no longer remember how a call went. */
const FORGOTTEN_MS = 4 * 60 * 60 * 1000;

const NO_CALL: CallView = { call: null, isShownByLead: false };

/** Parses a stored call, perhaps written by another release. Returns null for anything else. */
function readCall(text: string | null, now: number): Call | null {
  try {
    const { purchaseId, entryKey, startedAt } = JSON.parse(text ?? "null") as Partial<Call>;
    if (typeof purchaseId !== "string" || typeof entryKey !== "string") return null;
    if (typeof startedAt !== "number" || now - startedAt > FORGOTTEN_MS) return null;
    return { purchaseId, entryKey, startedAt, state: "asking", outcome: null };
  } catch {
    return null;
  }
}

/**
 * Remembers which lead a provider went to call and asks for the outcome when they return. Holds one call at a time:
 * the next call replaces an unanswered one.
 */
export class CallDesk {
  readonly #memory: CallMemory;
  readonly #listeners = new Set<() => void>();
  readonly #leads = new Map<string, number>();
  #view = NO_CALL;
  #isRestored = false;

  constructor(memory: CallMemory) {
    this.#memory = memory;
  }

  readonly subscribe = (listener: () => void) => {
    this.#restore();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly view = (): CallView => this.#view;

  /** Starts a call. @param now epoch ms, by this device */
  start(purchaseId: string, now: number): void {
    this.#show({ purchaseId, entryKey: crypto.randomUUID(), startedAt: now, state: "away", outcome: null });
  }

  /** Asks at once about a call made from another phone. */
  ask(purchaseId: string, now: number): void {
    this.start(purchaseId, now);
    this.back();
  }

  /** Call when the user returns to this page. */
  back(): void {
    const { call } = this.#view;
    if (call?.state === "away") this.#show({ ...call, state: "asking" });
  }

  /** Returns the time since the call began, in ms; 0 when there is no call. */
  agoMs(): number {
    const { call } = this.#view;
    return call ? Math.max(0, Date.now() - call.startedAt) : 0;
  }

  /** Stores the call's outcome and moves on to proposing the next action. */
  answer(outcome: ContactOutcome): void {
    const { call } = this.#view;
    if (call) this.#show({ ...call, state: "proposing", outcome });
  }

  /** Ends the call. The user is not asked about it again. */
  end(): void {
    this.#show(null);
  }

  /** Marks a lead that shows the question itself while it is on screen. @returns a function that undoes this */
  claim(purchaseId: string): () => void {
    const count = (by: number) => {
      this.#leads.set(purchaseId, (this.#leads.get(purchaseId) ?? 0) + by);
      this.#show(this.#view.call);
    };
    count(1);
    return () => count(-1);
  }

  /** A phone may discard a background page, so the call is restored from memory. */
  #restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    const call = readCall(this.#memory.read(), Date.now());
    if (call) this.#show(call);
  }

  #show(call: Call | null): void {
    this.#view = { call, isShownByLead: call !== null && (this.#leads.get(call.purchaseId) ?? 0) > 0 };
    this.#memory.write(call && call.state !== "proposing" ? JSON.stringify(call) : null);
    for (const listener of this.#listeners) listener();
  }
}
