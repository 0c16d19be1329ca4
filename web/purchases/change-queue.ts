import type { Contact } from "../../contract/contacts.ts";
import type { ProblemCode } from "../../contract/problem.ts";
import type { PurchaseUpdate } from "../../contract/purchases.ts";
import type { SalesStage } from "../../contract/stages.ts";
import { ApiError, codeOf } from "../lib/api.ts";
import { retryDelayMs } from "./notes-draft.ts";

/** A stage, an amount or a next action that was set here. */
type KeyedUpdate = PurchaseUpdate & { changeKey: string };

/** A call or text message that was told of here, and what that changes of the lead. */
export type ToldContact = {
  contact: Contact;
  /** The contact's own key. */
  changeKey: string;
  tries: number;
  salesStage?: SalesStage;
  /** How the lead stood. */
  before: { tries: number; salesStage: SalesStage };
};

/** Something that was done to a purchase here. */
export type Change = {
  purchaseId: string;
  /** Whose lead it is, for when it has to be told of and the lead is gone. Releases of before kept no names. */
  name?: string;
  /** Who made it: nobody else sends it. */
  userId: string;
  /** This device's time (epoch ms): changes are sent in the order in which they were made. */
  madeAt: number;
  /** With its key, so that it arrives once however often it is sent, and with what stood there before. */
  update: KeyedUpdate | ToldContact;
};

/** How changes reach the server and the device. */
export type ChangeStore<Saved> = {
  /**
   * @param isLate it was made some time ago: somebody may have changed the same since
   * @throws ApiError stage_changed, changed_since, others; TypeError when nobody answered
   */
  send: (change: Change, isLate: boolean) => Promise<Saved>;
  /**
   * Keeps a change on this device until `forget`; both are carried out in the order of their calls.
   * @returns whether it lies there now
   */
  keep: (change: Change) => Promise<boolean>;
  forget: (change: Change) => void;
  /** A change is given up that was late: whoever made it may be busy with something else by now. */
  giveUp: (change: Change, error: unknown) => void;
};

type Waiting<Saved> = {
  change: Change;
  isLate: boolean;
  /** An earlier visit left it. */
  isLeft: boolean;
  /** Whether it lies on this device; null while it is being written. */
  isKept: boolean | null;
  done: PromiseWithResolvers<Saved>;
};

/** How many changes of this visit the server does not have yet, and what this device has of them. */
export type Standing = {
  /** Not saved, and not just because they are being sent. */
  late: number;
  /** Late, and still being written to the device. */
  unsure: number;
  /** Late, and gone with this page. */
  unkept: number;
};

/** What our server says where the change itself is what cannot be. All else may be another answer later. */
const FINAL: readonly (string | null)[] = [
  "invalid_input",
  "not_found",
  "payload_too_large",
  "purchase_closed",
  "stage_changed",
  "changed_since",
] satisfies ProblemCode[];

/** Who waits longer than this for an answer is told that the change is not saved yet. */
const SLOW_MS = 5_000;

/** More than anybody changes on one outing. */
const MOST = 500;

/**
 * Changes on their way to the server, in the order in which they were made. What does not get through stays, on
 * this device too, and is sent again: when somebody says that there is a connection, and ever more slowly by
 * itself. Only our server's word that the change itself cannot be ends that. One purchase that the server cannot take just now keeps no other waiting.
 */
export class ChangeQueue<Saved> {
  readonly #store: ChangeStore<Saved>;
  readonly #listeners = new Set<() => void>();
  #waiting: Waiting<Saved>[] = [];
  #isSending = false;
  /** Somebody asked to send while something was being sent. */
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

  /** Whether a purchase has changes that stand on this device only, and not just because they are being sent. */
  isLate(purchaseId: string): boolean {
    return this.#waiting.some(({ change, isLate }) => isLate && change.purchaseId === purchaseId);
  }

  /** How the changes of this visit stand: who made the others was told then. */
  standing(): Standing {
    const late = this.#waiting.filter(({ isLate, isLeft }) => isLate && !isLeft);
    const count = (isKept: boolean | null) => late.filter((waiting) => waiting.isKept === isKept).length;
    return { late: late.length, unsure: count(null), unkept: count(false) };
  }

  /** Tries once more to keep what the device would not take, as when there is room again, or a page that may write. */
  keepAgain(): void {
    for (const waiting of this.#waiting) if (waiting.isKept === false) void this.#keep(waiting);
  }

  /**
   * Sends what waits, now, before its person leaves.
   * @param withinMs how long to wait for the answers
   * @returns the changes that the server does not have even then
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
   * Sends a change, after all that were made before.
   * @param isLate it was kept since an earlier visit
   * @returns what the server made of it, however long that takes
   * @throws ApiError when the server says that it cannot be
   */
  add(change: Change, isLate = false): Promise<Saved> {
    if (this.#waiting.length >= MOST) return Promise.reject(new Error("Too many changes wait"));
    const done = Promise.withResolvers<Saved>();
    const waiting: Waiting<Saved> = { change, isLate, isLeft: isLate, isKept: isLate, done };
    this.#waiting.push(waiting);
    if (!isLate) void this.#keep(waiting);
    this.#tell();
    // What is being sent just now gets to it.
    if (!this.#isSending) this.flush();
    return done.promise;
  }

  /** Sends what waits, now. */
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
      this.#timer = setTimeout(() => this.flush(), retryDelayMs(this.#failures++));
  }

  /** Goes through all that waits; ends where our server does not answer, or does not know who asks. */
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
        this.#end(next);
        next.done.resolve(saved);
      } catch (error) {
        const code = codeOf(error);
        if (!FINAL.includes(code)) {
          this.#markLate(this.#waiting);
          // Who is not heard, or not known, is not with the next change either; one that something in between dislikes
          // keeps no other waiting.
          const isForeign = error instanceof ApiError && code === null;
          if (isForeign) foreign += 1;
          if (foreign > 1 || (code === null && !isForeign) || code === "unauthenticated") return;
          stuck.add(next.change.purchaseId);
        } else {
          if (next.isLate) this.#store.giveUp(next.change, error);
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
    // What is just being sent is nobody's worry.
    if (waiting.isLate) this.#tell();
  }

  #markLate(changes: readonly Waiting<Saved>[]): void {
    for (const waiting of changes) waiting.isLate = true;
    this.#tell();
  }

  #end(ended: Waiting<Saved>): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== ended);
    this.#store.forget(ended.change);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
