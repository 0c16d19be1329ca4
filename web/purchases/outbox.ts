import type { ProblemCode } from "../../contract/problem.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { backoffMs } from "../lib/backoff.ts";
import { createStore } from "../lib/store.ts";
import { type OutboxEntry, type NotesEntry, storageName } from "./entries.ts";

export type SendOptions = {
  /** Whether the entry was delayed, so another user may have changed the same field since. */
  isLate: boolean;
  /** Whether the page may close before the response. */
  isKeepalive: boolean;
};

export type OutboxOptions<Saved> = {
  /** Sends an entry to the server. @throws ApiError stage_changed, notes_conflict, others; TypeError when offline */
  send: (entry: OutboxEntry, options: SendOptions) => Promise<Saved>;
  /** Returns notes that were typed while the server saved earlier ones, as a change of the saved ones. */
  rebase: (typed: NotesEntry, saved: Saved) => NotesEntry;
  /** Stores an entry on this device. @returns whether it is stored */
  store: (entry: OutboxEntry) => Promise<boolean>;
  /** Deletes stored entries by name. */
  remove: (names: readonly string[]) => Promise<unknown>;
};

type ItemState = {
  entry: OutboxEntry;
  /** Whether the entry failed once, took long or comes from an earlier visit. */
  isLate: boolean;
  /** Whether an earlier visit stored the entry on this device. */
  isRestored: boolean;
  /** Whether the entry is stored on this device; null while it is being written. */
  isStored: boolean | null;
  isSending: boolean;
  /** Ends when the user has stopped typing. */
  typing?: ReturnType<typeof setTimeout>;
  /** Whether the server refused the notes. They stay, and are sent again only with the next `flush`. */
  isHeld: boolean;
};

type Item<Saved> = ItemState & { done: PromiseWithResolvers<Saved> };

/** Requests that are sent one after another. Photos have their own lane: on a slow link one takes minutes. */
type Lane = {
  has: (entry: OutboxEntry) => boolean;
  isSending: boolean;
  /** Whether sending was requested during another pass. */
  isWanted: boolean;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
};

const makeLane = (has: Lane["has"]): Lane => ({ has, isSending: false, isWanted: false, failures: 0 });

/** State of an entry in this window. `late`: it failed once, took long or comes from an earlier visit. */
export type EntryState = "waiting" | "sending" | "late" | "conflict";

/** Counts this visit's late changes, by whether this device stores them. Notes show their own state. */
export type OutboxStatus = {
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
  "photo_refused",
  "too_many_photos",
  "purchase_closed",
  "stage_changed",
  "changed_since",
] satisfies ProblemCode[];

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** After this long without a response, the entry counts as late and the user is notified. */
const LATE_AFTER_MS = 5_000;
const PHOTO_LATE_AFTER_MS = 60_000;

/** The server's echo of our own change arrives within this time. */
const ECHO_MS = 5_000;

/** Maximum waiting entries, far more than one trip without a connection produces. */
const MAX_ENTRIES = 500;

/** Returns both storage names of an entry: the one while it waits, and the one after a refusal. */
const namesOf = (entry: OutboxEntry) => [undefined, ""].map((error) => storageName({ ...entry, error }));

const isWaiting = ({ entry }: ItemState) => entry.error === undefined;

/** While the device stores a photo, it counts as not stored, because its upload may outlast the page. */
const isUnstored = (item: ItemState) =>
  isWaiting(item) && (item.isStored === false || (item.isStored === null && item.entry.kind === "photo"));

const hasConflict = ({ kind, conflict }: OutboxEntry & { conflict?: unknown }) =>
  kind === "notes" && conflict !== undefined;

const canSend = (item: ItemState) =>
  isWaiting(item) && !hasConflict(item.entry) && !item.isSending && !item.isHeld && item.typing === undefined;

/**
 * The one list of changes that wait for the server, in the order the user made them. Sends them in that order, retries
 * them with backoff or when the connection returns, and keeps a late refusal until the user dismisses it. Only a final
 * error stops the retries. A purchase that the server cannot save does not block others.
 */
export class Outbox<Saved> {
  readonly #options: OutboxOptions<Saved>;
  #items: readonly Item<Saved>[] = [];
  readonly #changes = createStore<readonly OutboxEntry[]>([]);
  /** IDs dismissed in any window. They are not shown again. */
  readonly #dismissed = new Set<string>();
  readonly #lanes = [makeLane(({ kind }) => kind !== "photo"), makeLane(({ kind }) => kind === "photo")];
  /** Time of this window's last request by purchase ID, for `isOwnEcho`. */
  readonly #sentAt = new Map<string, number>();

  constructor(options: OutboxOptions<Saved>) {
    this.#options = options;
  }

  readonly subscribe = this.#changes.subscribe;

  /** All entries except notes, in order. Those with an error were refused. */
  readonly changes = this.#changes.read;

  /** All entries, in order. */
  entries(): OutboxEntry[] {
    return this.#items.map(({ entry }) => entry);
  }

  /** Returns whether an entry is being sent for the first time. */
  isOnTime(id: string | null): boolean {
    return this.#items.some((item) => isWaiting(item) && item.entry.id === id && !item.isLate);
  }

  /** Returns whether a purchase has late changes. Ignores those that are being sent on time. */
  isLate(purchaseId: string): boolean {
    return this.#lateChanges().some(({ entry }) => entry.purchaseId === purchaseId);
  }

  /** Returns whether an entry is listed as refused. */
  isRefused(id: string): boolean {
    return this.changes().some((entry) => entry.id === id && entry.error !== undefined);
  }

  /** Returns whether a purchase's notes failed to save. Notes still being typed do not count. */
  hasUnsavedNotes(purchaseId: string): boolean {
    return this.#notesItem(purchaseId)?.isLate === true;
  }

  /** Returns a purchase's notes that are not saved yet; undefined if there are none. */
  notesOf(purchaseId: string): NotesEntry | undefined {
    return this.#notesItem(purchaseId)?.entry as NotesEntry | undefined;
  }

  /** Returns an entry's state; null if there is no such entry. */
  stateOf(id: string | undefined): EntryState | null {
    const item = this.#items.find(({ entry }) => entry.id === id);
    if (!item) return null;
    if (hasConflict(item.entry)) return "conflict";
    if (item.isSending) return "sending";
    return item.isLate ? "late" : "waiting";
  }

  /** Returns whether this device could not store an entry. */
  isUnstored(id: string): boolean {
    return this.#items.some(({ entry, isStored }) => entry.id === id && isStored === false);
  }

  /** Counts this visit's late changes. Earlier visits already reported their own. */
  getStatus(): OutboxStatus {
    const late = this.#lateChanges().filter(({ isRestored }) => !isRestored);
    const count = (isStored: boolean | null) => late.filter((item) => item.isStored === isStored).length;
    return { late: late.length, beingStored: count(null), notStored: count(false) };
  }

  /** Returns whether any entry is neither on the server nor stored on this device. */
  hasUnstored(): boolean {
    return this.#items.some(isUnstored);
  }

  /** Like `hasUnstored`, but ignores entries that a request saves before the page closes. */
  wouldLose(): boolean {
    return this.#items.some(
      (item) => isUnstored(item) && (item.isLate || item.entry.kind === "photo" || !navigator.onLine),
    );
  }

  /** Retries storing entries that the device could not store, for example after the user freed space. */
  retryStoring(): void {
    for (const item of this.#items) if (isUnstored(item)) void this.#store(item);
  }

  /**
   * Sends an entry after all earlier ones.
   * @param isRestored whether an earlier visit stored the entry
   * @returns the server's result, however long it takes
   * @throws ApiError for a final error
   */
  add(entry: OutboxEntry, isRestored = false): Promise<Saved> {
    if (this.#items.filter(isWaiting).length >= MAX_ENTRIES)
      return Promise.reject(new Error("Too many changes wait"));
    const item = this.#push(entry, isRestored);
    // A running pass also sends this entry.
    const lane = this.#laneOf(entry);
    if (!lane.isSending) this.#wake(lane);
    return item.done.promise;
  }

  /**
   * Adds notes, or replaces those with the same ID. They are sent once typing has stopped.
   * @param delayMs how long typing must have stopped; 0 to send them now
   */
  type(entry: NotesEntry, delayMs: number): void {
    const known = this.#items.find((item) => item.entry.id === entry.id);
    const item = known ?? this.#push(entry);
    clearTimeout(item.typing);
    item.typing = setTimeout(() => {
      delete item.typing;
      this.#wake(this.#laneOf(entry));
    }, delayMs);
    if (known) this.#replace(known, entry);
  }

  /**
   * Shows the refusals that earlier visits stored.
   * @param stored this user's stored entries
   * @returns the entries that wait and that this window does not have yet
   */
  restore(stored: readonly OutboxEntry[]): OutboxEntry[] {
    const isNew = ({ id }: OutboxEntry) =>
      !this.#dismissed.has(id) && !this.#items.some(({ entry }) => entry.id === id);
    for (const refused of stored)
      if (refused.error !== undefined && isNew(refused)) this.#push(refused, true);
    return stored.filter(isNew);
  }

  /**
   * Hides refusals and deletes them from this device.
   * @param ids the ones that another window dismissed; all refusals shown here if omitted
   * @returns their IDs, once they are deleted
   */
  async dismiss(
    ids: readonly string[] = this.changes()
      .filter(({ error }) => error !== undefined)
      .map(({ id }) => id),
  ): Promise<readonly string[]> {
    for (const id of ids) this.#dismissed.add(id);
    const dismissed = this.#items.filter(({ entry }) => this.#dismissed.has(entry.id));
    this.#setItems(this.#items.filter((item) => isWaiting(item) || !dismissed.includes(item)));
    await this.#options.remove(dismissed.flatMap(({ entry }) => namesOf(entry)));
    return ids;
  }

  /**
   * Sends all waiting entries now, before the user signs out.
   * @param withinMs time limit
   */
  async drain(withinMs: number): Promise<void> {
    const drained = Promise.withResolvers<void>();
    const checkDrained = () => !this.#items.some(isWaiting) && drained.resolve();
    const unsubscribe = this.subscribe(checkDrained);
    const timer = setTimeout(drained.resolve, withinMs);
    this.flush();
    checkDrained();
    await drained.promise;
    clearTimeout(timer);
    unsubscribe();
  }

  /** Records a request that changes a purchase. The live socket will report the change to this window too. */
  expectEcho(purchaseId: string): void {
    this.#sentAt.set(purchaseId, Date.now());
  }

  /** Returns whether the live socket reports a change that this window has just made. */
  isOwnEcho(purchaseId: string): boolean {
    return Date.now() - (this.#sentAt.get(purchaseId) ?? 0) < ECHO_MS;
  }

  /** Sends all waiting entries now, also notes that are still being typed. */
  flush(): void {
    for (const item of this.#items) {
      clearTimeout(item.typing);
      delete item.typing;
      item.isHeld = false;
    }
    for (const lane of this.#lanes) this.#wake(lane);
  }

  /** Sends unsaved notes at once, in requests that outlive the page. The device stores the other entries. */
  flushNotesBeforeClose(): void {
    for (const item of this.#items) {
      if (item.entry.kind !== "notes") continue;
      clearTimeout(item.typing);
      delete item.typing;
      if (canSend(item))
        void this.#send(item, true).then(() => this.#scheduleRetry(this.#laneOf(item.entry)));
    }
  }

  #laneOf(entry: OutboxEntry): Lane {
    return this.#lanes.find(({ has }) => has(entry))!;
  }

  #wake(lane: Lane): void {
    lane.isWanted = true;
    if (!lane.isSending) void this.#sendAll(lane);
  }

  /** Sends each of a lane's entries once. Stops when offline or after the session has ended. */
  async #sendAll(lane: Lane): Promise<void> {
    lane.isSending = true;
    clearTimeout(lane.timer);
    do {
      lane.isWanted = false;
      const stuck = new Set<string>();
      let proxyErrors = 0;
      for (let next; (next = this.#nextOf(lane, stuck));) {
        const failure = await this.#send(next);
        if (failure === "proxy") proxyErrors += 1;
        // One entry that a proxy rejects does not block the others.
        if (failure === "all" || proxyErrors > 1) break;
        if (failure) stuck.add(next.entry.purchaseId);
      }
    } while (lane.isWanted);
    lane.isSending = false;
    this.#scheduleRetry(lane);
  }

  #nextOf(lane: Lane, stuck: ReadonlySet<string>): Item<Saved> | undefined {
    return this.#items.find(
      (item) => canSend(item) && lane.has(item.entry) && !stuck.has(item.entry.purchaseId),
    );
  }

  #scheduleRetry(lane: Lane): void {
    if (lane.isSending || !this.#items.some((item) => canSend(item) && lane.has(item.entry))) return;
    clearTimeout(lane.timer);
    const delayMs = backoffMs(lane.failures++, FIRST_RETRY_MS, MAX_RETRY_MS);
    lane.timer = setTimeout(() => this.#wake(lane), delayMs);
  }

  /**
   * Sends an entry.
   * @returns null if the server has decided. Otherwise what would fail too: `purchase`, this purchase's entries; `all`,
   *   every entry; `proxy`, unknown, because a proxy responded
   */
  async #send(item: Item<Saved>, isKeepalive = false): Promise<"purchase" | "proxy" | "all" | null> {
    const { entry, isLate } = item;
    // A photo may take longer on a slow link.
    const lateAfterMs = entry.kind === "photo" ? PHOTO_LATE_AFTER_MS : LATE_AFTER_MS;
    const lateTimer = setTimeout(() => this.#markLate([item]), lateAfterMs);
    item.isSending = true;
    this.#changes.notify();
    this.expectEcho(entry.purchaseId);
    try {
      const saved = await this.#options.send(entry, { isLate, isKeepalive });
      this.expectEcho(entry.purchaseId);
      this.#laneOf(entry).failures = 0;
      item.isSending = false;
      if (item.entry === entry) this.#end(item);
      // The user has typed more since.
      else this.#replace(item, this.#options.rebase(item.entry as NotesEntry, saved));
      item.done.resolve(saved);
      return null;
    } catch (error) {
      item.isSending = false;
      return this.#fail(item, error);
    } finally {
      clearTimeout(lateTimer);
    }
  }

  #fail(item: Item<Saved>, error: unknown) {
    const { entry } = item;
    const code = codeOf(error);
    if (code === "notes_conflict" && entry.kind === "notes") {
      const conflict = (error as ApiError).problem!.notes!;
      item.isLate = true;
      this.#replace(item, { ...entry, conflict });
      return null;
    }
    if (FINAL_ERROR_CODES.includes(code)) {
      if (entry.kind === "notes") {
        // Never discard text.
        item.isHeld = true;
        this.#markLate([item]);
        return null;
      }
      // The author of a late entry may be doing something else now, so its refusal stays in view.
      if (item.isLate && !this.#dismissed.has(entry.id)) void this.#refuse(item, error);
      else this.#end(item);
      item.done.reject(error);
      return null;
    }
    this.#markLate([item, ...this.#items.filter(canSend)]);
    // Without a connection or a session, the next entry would fail too.
    if (error instanceof ApiError && code === null) return "proxy";
    // A slow link may still be quick enough for a smaller photo.
    if (entry.kind === "photo" && error instanceof DOMException && error.name === "TimeoutError")
      return "purchase";
    return code === null || code === "unauthenticated" ? "all" : "purchase";
  }

  /** Lists a refusal. Without a stored refusal the change stays, and the next page sends it again. */
  async #refuse(item: Item<Saved>, error: unknown): Promise<void> {
    const waiting = item.entry;
    item.entry = { ...waiting, error: messageOf(error, "It couldn't be saved.") };
    this.#setItems(this.#items);
    if (await this.#options.store(item.entry)) await this.#options.remove([storageName(waiting)]);
  }

  #replace(item: Item<Saved>, entry: OutboxEntry): void {
    item.entry = entry;
    void this.#store(item);
    this.#setItems(this.#items);
  }

  #push(entry: OutboxEntry, isRestored = false): Item<Saved> {
    const done = Promise.withResolvers<Saved>();
    const isStored = isRestored;
    const state = { isLate: isRestored, isRestored, isStored, isSending: false, isHeld: false };
    const item: Item<Saved> = { entry, ...state, done };
    if (!isRestored) void this.#store(item);
    this.#setItems([...this.#items, item].toSorted((a, b) => a.entry.madeAt - b.entry.madeAt));
    return item;
  }

  async #store(item: Item<Saved>): Promise<void> {
    item.isStored = null;
    item.isStored = await this.#options.store(item.entry);
    this.#changes.notify();
  }

  #notesItem(purchaseId: string): Item<Saved> | undefined {
    return this.#items.find(({ entry }) => entry.kind === "notes" && entry.purchaseId === purchaseId);
  }

  #lateChanges(): Item<Saved>[] {
    return this.#items.filter((item) => isWaiting(item) && item.isLate && item.entry.kind !== "notes");
  }

  #markLate(items: readonly Item<Saved>[]): void {
    for (const item of items) item.isLate = true;
    this.#changes.notify();
  }

  #end(ended: Item<Saved>): void {
    void this.#options.remove(namesOf(ended.entry));
    this.#setItems(this.#items.filter((item) => item !== ended));
  }

  #setItems(items: readonly Item<Saved>[]): void {
    this.#items = items;
    const changes = items.map(({ entry }) => entry).filter(({ kind }) => kind !== "notes");
    // Typing notes must not render the lists again.
    const before = this.changes();
    if (changes.length === before.length && changes.every((entry, at) => entry === before[at]))
      this.#changes.notify();
    else this.#changes.write(changes);
  }
}
