import type { ContactForm } from "../../contract/contacts.ts";
import type { ProblemCode } from "../../contract/problem.ts";
import type { PurchaseUpdate } from "../../contract/purchases.ts";
import type { SalesStage } from "../../contract/stages.ts";
import { ApiError, codeOf } from "../lib/api.ts";
import { notesRetryDelayMs } from "./notes-draft.ts";

/** A change of stage, amount, next action or assignee, made in this window. */
type KeyedUpdate = PurchaseUpdate & { changeKey: string };

/** A call or text message logged here, with its effects on the lead. */
export type LoggedContact = {
  contact: ContactForm;
  /** The contact's idempotency key. */
  changeKey: string;
  tries: number;
  salesStage?: SalesStage;
  before: { tries: number; salesStage: SalesStage };
};

/** A change to a purchase made on this device. */
export type Change = {
  purchaseId: string;
  /** The customer's name, for reporting a refusal after the lead is gone. Absent if the lead is not loaded. */
  name?: string;
  /** ID of the user who made the change. The queue does not send it for any other user. */
  userId: string;
  /** This device's time (epoch ms). The queue sends changes in this order. */
  madeAt: number;
  /** Includes an idempotency key and the previous values. */
  update: KeyedUpdate | LoggedContact;
};

export type ChangeQueueOptions<Saved> = {
  /**
   * Sends a change to the server.
   * @param isLate whether the change was delayed, so another user may have changed the same field since
   * @throws ApiError stage_changed, changed_since, others; TypeError when offline
   */
  send: (change: Change, isLate: boolean) => Promise<Saved>;
  /**
   * Stores a change on this device. The queue deletes it with `deleteStored` or `onRefused`.
   * @returns whether the change is stored
   */
  storeOnDevice: (change: Change) => Promise<boolean>;
  deleteStored: (change: Change) => void;
  /** Reports and deletes a late change that the server refused. Its author may be doing something else now. */
  onRefused: (change: Change, error: unknown) => void;
};

type Waiting<Saved> = {
  change: Change;
  isLate: boolean;
  /** Whether an earlier visit stored the change on this device. */
  isFromEarlierVisit: boolean;
  /** Whether the change is stored on this device; null while it is being written. */
  isKept: boolean | null;
  done: PromiseWithResolvers<Saved>;
};

/** Counts this visit's late changes, by whether this device stores them. */
export type QueueStatus = {
  /** All late changes. */
  late: number;
  /** Late changes that are still being written to the device. */
  beingStored: number;
  /** Late changes that are not stored and would be lost when this page closes. */
  notStored: number;
};

/** Errors that a retry cannot fix. All others may succeed later. */
const FINAL_ERROR_CODES: readonly (string | null)[] = [
  "invalid_input",
  "not_found",
  "payload_too_large",
  "purchase_closed",
  "stage_changed",
  "changed_since",
] satisfies ProblemCode[];

/** After this long without a response, the change counts as late and the user is notified. */
const LATE_AFTER_MS = 5_000;

/** Maximum pending changes, far more than one trip without a connection produces. */
const MAX_CHANGES = 500;

/**
 * Sends changes in the order they were made. Stores failed changes on this device and retries them with backoff, or
 * when the connection returns. Only a final error stops the retries. A purchase that the server cannot save does not
 * block others.
 */
export class ChangeQueue<Saved> {
  readonly #store: ChangeQueueOptions<Saved>;
  readonly #listeners = new Set<() => void>();
  #waiting: Waiting<Saved>[] = [];
  #isSending = false;
  /** Whether a flush was requested during another one. */
  #isWanted = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: ChangeQueueOptions<Saved>) {
    this.#store = store;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns whether a purchase has late changes. Ignores changes that are being sent on time. */
  isLate(purchaseId: string): boolean {
    return this.#waiting.some(({ change, isLate }) => isLate && change.purchaseId === purchaseId);
  }

  /** Counts this visit's late changes. Earlier visits already reported their own. */
  getStatus(): QueueStatus {
    const late = this.#waiting.filter(({ isLate, isFromEarlierVisit }) => isLate && !isFromEarlierVisit);
    const count = (isStored: boolean | null) => late.filter((pending) => pending.isKept === isStored).length;
    return { late: late.length, beingStored: count(null), notStored: count(false) };
  }

  /** Retries storing changes that the device could not store, for example after the user freed space. */
  retryStoring(): void {
    for (const pending of this.#waiting) if (pending.isKept === false) void this.#storeChange(pending);
  }

  /**
   * Sends all pending changes now, before the user leaves.
   * @param withinMs time limit
   * @returns the changes that have not reached the server
   */
  async drain(withinMs: number): Promise<Change[]> {
    const drained = Promise.withResolvers<void>();
    const checkDrained = () => this.#waiting.length === 0 && drained.resolve();
    const unsubscribe = this.subscribe(checkDrained);
    const timer = setTimeout(drained.resolve, withinMs);
    if (this.#waiting.length > 0) this.flush();
    checkDrained();
    await drained.promise;
    clearTimeout(timer);
    unsubscribe();
    return this.#waiting.map(({ change }) => change);
  }

  has({ update }: Change): boolean {
    return this.#waiting.some(({ change }) => change.update.changeKey === update.changeKey);
  }

  /**
   * Sends a change after all earlier ones.
   * @param isLate whether an earlier visit stored the change
   * @returns the server's result, however long it takes
   * @throws ApiError for a final error
   */
  add(change: Change, isLate = false): Promise<Saved> {
    if (this.#waiting.length >= MAX_CHANGES) return Promise.reject(new Error("Too many changes wait"));
    const done = Promise.withResolvers<Saved>();
    const pending: Waiting<Saved> = { change, isLate, isFromEarlierVisit: isLate, isKept: isLate, done };
    this.#waiting.push(pending);
    if (!isLate) void this.#storeChange(pending);
    this.#notify();
    // A running flush also sends this change.
    if (!this.#isSending) this.flush();
    return done.promise;
  }

  flush(): void {
    this.#isWanted = true;
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    clearTimeout(this.#timer);
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#sendOnce();
    }
    this.#isSending = false;
    if (this.#waiting.length > 0)
      this.#timer = setTimeout(() => this.flush(), notesRetryDelayMs(this.#failures++));
  }

  /** Sends each pending change once. Stops when offline or after the session has ended. */
  async #sendOnce(): Promise<void> {
    const stuck = new Set<string>();
    let proxyErrors = 0;
    for (;;) {
      const next = this.#waiting.find(({ change }) => !stuck.has(change.purchaseId));
      if (!next) return;
      const lateTimer = setTimeout(() => this.#markLate([next]), LATE_AFTER_MS);
      try {
        const saved = await this.#store.send(next.change, next.isLate);
        this.#failures = 0;
        this.#store.deleteStored(next.change);
        this.#remove(next);
        next.done.resolve(saved);
      } catch (error) {
        const code = codeOf(error);
        if (!FINAL_ERROR_CODES.includes(code)) {
          this.#markLate(this.#waiting);
          // Stop without a connection or a session: the next change would fail too. One change that a proxy rejects
          // does not block the others.
          const isProxyError = error instanceof ApiError && code === null;
          if (isProxyError) proxyErrors += 1;
          if (proxyErrors > 1 || (code === null && !isProxyError) || code === "unauthenticated") return;
          stuck.add(next.change.purchaseId);
        } else {
          if (next.isLate) this.#store.onRefused(next.change, error);
          else this.#store.deleteStored(next.change);
          this.#remove(next);
          next.done.reject(error);
        }
      } finally {
        clearTimeout(lateTimer);
      }
    }
  }

  async #storeChange(pending: Waiting<Saved>): Promise<void> {
    pending.isKept = null;
    pending.isKept = await this.#store.storeOnDevice(pending.change);
    // A change that is not late does not affect the counts.
    if (pending.isLate) this.#notify();
  }

  #markLate(changes: readonly Waiting<Saved>[]): void {
    for (const pending of changes) pending.isLate = true;
    this.#notify();
  }

  #remove(ended: Waiting<Saved>): void {
    this.#waiting = this.#waiting.filter((pending) => pending !== ended);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
