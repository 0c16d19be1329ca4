import { MINUTE_MS } from "../../contract/durations.ts";
import { type ExchangeMessage, type MarketChange, SNAPSHOT_LEADS } from "../../contract/exchange.ts";
import { encodeCursor } from "../platform/http/paging.ts";
import { MAX_EVENTS, type ExchangeStore, type Head } from "./store.ts";
import type { LiveSockets } from "../live/sockets.ts";

type WithoutTime<Message> = Message extends unknown ? Omit<Message, "serverNow" | "comeBackWithinMs"> : never;

function textOf(message: WithoutTime<ExchangeMessage>): string {
  return JSON.stringify(message);
}

/** Cached first messages for the current position: the snapshot, and catch-ups keyed by the client's position. */
type Greetings = { head: Head; snapshot: string | null; changes: Map<string, string> };

/** Clients to reconnect per second after a deploy. bench/reconnect.ts measures how many an exchange accepts. */
const RECONNECTS_PER_SECOND = 500;
const MAX_RECONNECT_SPREAD_MS = MINUTE_MS;
/**
 * Minimum interval between client counts. Counting thousands of clients for each first message would dominate the
 * cost.
 */
const COUNT_INTERVAL_MS = 1_000;

/** Returns the time over which this many clients should reconnect, in ms. */
export function comeBackWithinMs(windows: number): number {
  return Math.min(MAX_RECONNECT_SPREAD_MS, Math.ceil((windows / RECONNECTS_PER_SECOND) * 1000));
}

/** Maximum cached catch-ups. Clients reconnect from the last few positions. */
const MAX_CACHED_CATCH_UPS = 50;

/** A catch-up longer than this many characters is sent only if it is shorter than a snapshot. */
const LONG_CATCH_UP = 16_384;

/** Sends messages to a region's connected clients: first a snapshot or a catch-up, then every change. */
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

  /** Enqueues committed changes for broadcast. The buyer's response is sent before the broadcast. */
  enqueue(changes: MarketChange[]): void {
    this.#unsent.push(...changes);
    if (this.#unsent.length > 0) setTimeout(() => this.broadcastUnsent(), 0);
  }

  broadcastUnsent(): void {
    const changes = this.#unsent.splice(0);
    // Skip serialisation if no client is connected, so that claims are cheaper.
    if (changes.length === 0 || this.#sockets.count === 0) return;
    const now = Date.now();
    this.#sockets.broadcast(
      this.#withServerTime(now, textOf({ type: "changes", ...this.#store.head(), changes })),
      now,
    );
  }

  /** Clears the cached first messages. Call it when content changes without a new position. */
  forgetGreetings(): void {
    this.#greetings = null;
  }

  /** Returns the first message for a client at position `since`, "epoch:seq". */
  greeting(since: string | null, now: number): string {
    const known = this.#currentGreetings();
    const missed = since === null ? null : this.#missedSince(since, known);
    if (missed !== null && missed.length <= LONG_CATCH_UP) return this.#withServerTime(now, missed);
    known.snapshot ??= this.#snapshot(known.head, now);
    const isShorter = missed !== null && missed.length < known.snapshot.length;
    return this.#withServerTime(now, isShorter ? missed : known.snapshot);
  }

  /** Adds the current time to a message. The shared part of the message is serialised only once. */
  #withServerTime(now: number, message: string): string {
    if (now - this.#counted.at > COUNT_INTERVAL_MS)
      this.#counted = { at: now, comeBackWithinMs: comeBackWithinMs(this.#sockets.count) };
    const { comeBackWithinMs: within } = this.#counted;
    return `{"serverNow":${now},"comeBackWithinMs":${within},${message.slice(1)}`;
  }

  /** Returns the cached messages for the current position. The next change replaces them. */
  #currentGreetings(): Greetings {
    const head = this.#store.head();
    if (this.#greetings?.head !== head) this.#greetings = { head, snapshot: null, changes: new Map() };
    return this.#greetings;
  }

  /** Returns the changes that a client missed. Null if the client's position is too old or not in this history. */
  #missedSince(since: string, { head, changes }: Greetings): string | null {
    const known = changes.get(since);
    if (known) return known;
    const [epoch, seqText] = since.split(":");
    const seq = Number(seqText);
    const isInHistory = epoch === head.epoch && Number.isInteger(seq) && seq <= head.seq;
    if (!isInHistory || seq < head.seq - MAX_EVENTS) return null;
    const missed = this.#store.eventsAfter(seq);
    if (missed.length !== head.seq - seq) return null;
    const text = textOf({ type: "changes", ...head, changes: missed });
    // A client can write the same position in many ways, so limit the cache.
    if (changes.size < MAX_CACHED_CATCH_UPS) changes.set(since, text);
    return text;
  }

  #snapshot(head: Head, now: number): string {
    const { leads, total } = this.#store.listNewestOpen(SNAPSHOT_LEADS, now);
    const last = leads.at(-1);
    const cursor = last && total > leads.length ? encodeCursor(last) : null;
    return textOf({ type: "snapshot", ...head, leads, total, cursor });
  }
}
