import type { ContactOutcome } from "../../contract/contacts.ts";

/** A call that was begun here and is to be told of. */
export type Call = {
  purchaseId: string;
  /** Goes with what is logged of it: however often that is sent, it is one call. */
  entryKey: string;
  /** When it began, by this device's clock (epoch ms). */
  startedAt: number;
  /** `away`: still calling. `asking`: how did it go? `proposing`: that is logged, and what comes next? */
  state: "away" | "asking" | "proposing";
  outcome: ContactOutcome | null;
};

export type CallView = {
  call: Call | null;
  /** Whether the lead itself shows the question, so that nothing else has to. */
  isShownByLead: boolean;
};

/** What is remembered of a call while the telephone's own screen is over ours. */
export type CallMemory = {
  read: () => string | null;
  /** Null forgets. */
  write: (text: string | null) => void;
};

/** After so long nobody remembers how it went. */
const FORGOTTEN_MS = 4 * 60 * 60 * 1000;

const NOBODY: CallView = { call: null, isShownByLead: false };

/** A call that was remembered, perhaps by another release; null for anything else. */
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
 * Remembers whom a provider went to call, and asks how it went when they are back. One call at a time: the
 * next one takes the place of one nobody told about.
 */
export class CallDesk {
  readonly #memory: CallMemory;
  readonly #listeners = new Set<() => void>();
  readonly #leads = new Map<string, number>();
  #view = NOBODY;
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

  /** Somebody goes to call. @param now epoch ms, by this device */
  start(purchaseId: string, now: number): void {
    this.#show({ purchaseId, entryKey: crypto.randomUUID(), startedAt: now, state: "away", outcome: null });
  }

  /** Asks at once, about a call made from another telephone. */
  ask(purchaseId: string, now: number): void {
    this.start(purchaseId, now);
    this.back();
  }

  /** They are back at this screen. */
  back(): void {
    const { call } = this.#view;
    if (call?.state === "away") this.#show({ ...call, state: "asking" });
  }

  /** How long ago the call began, in ms; 0 when nobody calls. */
  agoMs(): number {
    const { call } = this.#view;
    return call ? Math.max(0, Date.now() - call.startedAt) : 0;
  }

  /** They said how it went. */
  answer(outcome: ContactOutcome): void {
    const { call } = this.#view;
    if (call) this.#show({ ...call, state: "proposing", outcome });
  }

  /** Nothing more is asked about it. */
  end(): void {
    this.#show(null);
  }

  /** A lead that shows the question itself says so while it is on the screen. @returns takes that back */
  claim(purchaseId: string): () => void {
    const count = (by: number) => {
      this.#leads.set(purchaseId, (this.#leads.get(purchaseId) ?? 0) + by);
      this.#show(this.#view.call);
    };
    count(1);
    return () => count(-1);
  }

  /** A telephone may end a page that lies behind its own screen. */
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
