import type { ContactForm } from "../../contract/contacts.ts";
import type { ProblemCode } from "../../contract/problem.ts";
import type { PurchaseUpdate } from "../../contract/purchases.ts";
import type { SalesStage } from "../../contract/stages.ts";
import { ApiError, codeOf } from "../lib/api.ts";
import { notesRetryDelayMs } from "./notes-draft.ts";

/** A change of stage, amount, next action or assignee made in this window. */
type KeyedUpdate = PurchaseUpdate & { changeKey: string };

/** A call or text message logged here, with its effects on the lead. */
export type ToldContact = {
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
  /** The customer's name, for reporting a refusal after the lead is gone. Older releases stored no names. */
  name?: string;
  /** ID of the user who made the change. The queue does not send it for any other user. */
  userId: string;
  /** This device's time (epoch ms). The queue sends changes in this order. */
  madeAt: number;
  /** Includes an idempotency key and the previous values. */
  update: KeyedUpdate | ToldContact;
};

export type ChangeStore<Saved> = {
  /**
   * Sends a change to the server.
   * @param isLate whether the change was delayed, so another user may have changed the same field since
   * @throws ApiError stage_changed, changed_since, others; TypeError when offline
   */
  send: (change: Change, isLate: boolean) => Promise<Saved>;
  /**
   * Stores a change on this device until `forget` or `giveUp`.
   * @returns whether the change is stored
   */
  keep: (change: Change) => Promise<boolean>;
  forget: (change: Change) => void;
  /** Reports and deletes a late change that the server refused. Its author may be doing something else now. */
  giveUp: (change: Change, error: unknown) => void;
};

type Waiting<Saved> = {
  change: Change;
  isLate: boolean;
  /** Whether an earlier visit stored the change on this device. */
  isLeft: boolean;
  /** Whether the change is stored on this device; null while it is being written. */
  isKept: boolean | null;
  done: PromiseWithResolvers<Saved>;
};

/** Counts this visit's late changes, by whether this device stores them. */
export type QueueStatus = {
  /** All late changes. */
  late: number;
  /** Late changes that are still being written to the device. */
  unsure: number;
  /** Late changes that are not stored and would be lost when this page closes. */
  unkept: number;
};

/** Errors that a retry cannot fix. All others may succeed later. */
const FINAL: readonly (string | null)[] = [
  "invalid_input",
  "not_found",
  "payload_too_large",
  "purchase_closed",
  "stage_changed",
  "changed_since",
] satisfies ProblemCode[];

/** After this long without a response, the change counts as late and the user is notified. */
const SLOW_MS = 5_000;

/** Maximum pending changes, far more than one trip without a connection produces. */
const MAX_CHANGES = 500;

/**
 * Sends changes in the order they were made. Stores failed changes on this device and retries them with backoff, or
 * when the connection returns. Only a final error stops the retries. A purchase that the server cannot save does not
 * block others.
 */
export class ChangeQueue<Saved> {
  readonly #store: ChangeStore<Saved>;
  readonly #listeners = new Set<() => void>();
  #waiting: Waiting<Saved>[] = [];
  #isSending = false;
  /** Whether a flush was requested during another one. */
  #isWanted = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: ChangeStore<Saved>) {
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
  standing(): QueueStatus {
    const late = this.#waiting.filter(({ isLate, isLeft }) => isLate && !isLeft);
    const count = (isKept: boolean | null) => late.filter((waiting) => waiting.isKept === isKept).length;
    return { late: late.length, unsure: count(null), unkept: count(false) };
  }

  /** Retries storing changes that the device could not store, for example after the user freed space. */
  keepAgain(): void {
    for (const waiting of this.#waiting) if (waiting.isKept === false) void this.#keep(waiting);
  }

  /**
   * Sends all pending changes now, before the user leaves.
   * @param withinMs time limit
   * @returns the changes that have not reached the server
   */
  async finish(withinMs: number): Promise<Change[]> {
    const isOver = Promise.withResolvers<void>();
    const look = () => this.#waiting.length === 0 && isOver.resolve();
    const end = this.subscribe(look);
    const timer = setTimeout(isOver.resolve, withinMs);
    if (this.#waiting.length > 0) this.flush();
    look();
    await isOver.promise;
    clearTimeout(timer);
    end();
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
    const waiting: Waiting<Saved> = { change, isLate, isLeft: isLate, isKept: isLate, done };
    this.#waiting.push(waiting);
    if (!isLate) void this.#keep(waiting);
    this.#tell();
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
    let foreign = 0;
    for (;;) {
      const next = this.#waiting.find(({ change }) => !stuck.has(change.purchaseId));
      if (!next) return;
      const slow = setTimeout(() => this.#markLate([next]), SLOW_MS);
      try {
        const saved = await this.#store.send(next.change, next.isLate);
        this.#failures = 0;
        this.#store.forget(next.change);
        this.#end(next);
        next.done.resolve(saved);
      } catch (error) {
        const code = codeOf(error);
        if (!FINAL.includes(code)) {
          this.#markLate(this.#waiting);
          // Stop without a connection or a session: the next change would fail too. One change that a proxy rejects
          // does not block the others.
          const isForeign = error instanceof ApiError && code === null;
          if (isForeign) foreign += 1;
          if (foreign > 1 || (code === null && !isForeign) || code === "unauthenticated") return;
          stuck.add(next.change.purchaseId);
        } else {
          if (next.isLate) this.#store.giveUp(next.change, error);
          else this.#store.forget(next.change);
          this.#end(next);
          next.done.reject(error);
        }
      } finally {
        clearTimeout(slow);
      }
    }
  }

  async #keep(waiting: Waiting<Saved>): Promise<void> {
    waiting.isKept = null;
    waiting.isKept = await this.#store.keep(waiting.change);
    // A change that is not late does not affect the counts.
    if (waiting.isLate) this.#tell();
  }

  #markLate(changes: readonly Waiting<Saved>[]): void {
    for (const waiting of changes) waiting.isLate = true;
    this.#tell();
  }

  #end(ended: Waiting<Saved>): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== ended);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
