import { MINUTE_MS } from "../../contract/durations.ts";
import { type ExchangeMessage, type MarketChange, SNAPSHOT_LEADS } from "../../contract/exchange.ts";
import { encodeCursor } from "../platform/http/cursors.ts";
import { EVENTS_KEPT, type ExchangeStore, type Head } from "./store.ts";
import type { LiveSockets } from "../live/sockets.ts";

type Timeless<Message> = Message extends unknown ? Omit<Message, "serverNow" | "comeBackWithinMs"> : never;

function textOf(message: Timeless<ExchangeMessage>): string {
  return JSON.stringify(message);
}

/** Cached first messages at one position in the history: the snapshot, and each catch-up by the client's position. */
type Greetings = { head: Head; snapshot: string | null; changes: Map<string, string> };

/** Clients to reconnect per second after a deploy: a third of bench/reconnect.ts's target, because claims continue. */
const BACK_A_SECOND = 500;
const LONGEST_COME_BACK_MS = MINUTE_MS;
/** How often clients are counted. Counting thousands for each first message would be most of its cost. */
const COUNTED_MS = 1_000;

/** Returns the time over which this many clients should reconnect, in ms. */
export function comeBackWithinMs(windows: number): number {
  return Math.min(LONGEST_COME_BACK_MS, Math.ceil((windows / BACK_A_SECOND) * 1000));
}

/** Maximum cached catch-ups. Clients reconnect from the last few positions. */
const MOST_PLACES = 50;

/** A catch-up longer than this (characters) is sent only if it is shorter than a snapshot. */
const LONG_CATCH_UP = 16_384;

/** The messages to a region's connected clients: a snapshot or a catch-up first, then every change. */
export class LiveList {
  readonly #sockets: LiveSockets;
  readonly #store: ExchangeStore;
  #greetings: Greetings | null = null;
  #unsent: MarketChange[] = [];
  #counted = { at: -Infinity, comeBackWithinMs: 0 };

  constructor(sockets: LiveSockets, store: ExchangeStore) {
    this.#sockets = sockets;
    this.#store = store;
  }

  /** Enqueues committed changes for broadcast. The buyer's response leaves first, the broadcast a moment later. */
  tell(changes: MarketChange[]): void {
    this.#unsent.push(...changes);
    if (this.#unsent.length > 0) setTimeout(() => this.broadcastUnsent(), 0);
  }

  broadcastUnsent(): void {
    const changes = this.#unsent.splice(0);
    // Without a window nothing is serialised, so a claim there does not pay for a broadcast.
    if (changes.length === 0 || this.#sockets.count === 0) return;
    const now = Date.now();
    this.#sockets.broadcast(
      this.#toldAt(now, textOf({ type: "changes", ...this.#store.head(), changes })),
      now,
    );
  }

  /** Clears the cached first messages: the content at the current position has changed. */
  forgetGreetings(): void {
    this.#greetings = null;
  }

  /** Returns the first message to a client that was last at `since`: "epoch:seq:at". Older clients send no `at`. */
  greeting(since: string | null, now: number): string {
    const known = this.#known();
    const missed = since === null ? null : this.#missedSince(since, known);
    if (missed !== null && missed.length <= LONG_CATCH_UP) return this.#toldAt(now, missed);
    known.snapshot ??= this.#snapshot(known.head, now);
    const isShorter = missed !== null && missed.length < known.snapshot.length;
    return this.#toldAt(now, isShorter ? missed : known.snapshot);
  }

  /** Adds the current time to a message. The part that all clients share is serialised once, the rest each time. */
  #toldAt(now: number, message: string): string {
    if (now - this.#counted.at > COUNTED_MS)
      this.#counted = { at: now, comeBackWithinMs: comeBackWithinMs(this.#sockets.count) };
    const { comeBackWithinMs: within } = this.#counted;
    return `{"serverNow":${now},"comeBackWithinMs":${within},${message.slice(1)}`;
  }

  /** Returns the cached messages for the current position. The next change replaces them. */
  #known(): Greetings {
    const head = this.#store.head();
    if (this.#greetings?.head !== head) this.#greetings = { head, snapshot: null, changes: new Map() };
    return this.#greetings;
  }

  /** Returns the changes that a client missed. Null when its position is not in this history, or is too old. */
  #missedSince(since: string, { head, changes }: Greetings): string | null {
    const known = changes.get(since);
    if (known) return known;
    const [epoch, seqText, atText] = since.split(":");
    const seq = Number(seqText);
    const isHere = epoch === head.epoch && Number.isInteger(seq) && seq <= head.seq;
    if (!isHere || seq < head.seq - EVENTS_KEPT) return null;
    // After a restore the same number may be another position, so the time has to match too.
    if (atText !== undefined && this.#store.reachedAt(seq) !== Number(atText)) return null;
    const missed = this.#store.eventsAfter(seq);
    if (missed.length !== head.seq - seq) return null;
    const text = textOf({ type: "changes", ...head, changes: missed });
    // A client can write a position in many ways, so only a few are cached.
    if (changes.size < MOST_PLACES) changes.set(since, text);
    return text;
  }

  #snapshot(head: Head, now: number): string {
    const { leads, total } = this.#store.newestOpen(SNAPSHOT_LEADS, now);
    const last = leads.at(-1);
    const cursor = last && total > leads.length ? encodeCursor(last) : null;
    return textOf({ type: "snapshot", ...head, leads, total, cursor });
  }
}
