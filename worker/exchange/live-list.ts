import { MINUTE_MS } from "../../contract/durations.ts";
import { type ExchangeMessage, type MarketChange, SNAPSHOT_LEADS } from "../../contract/exchange.ts";
import { encodeCursor } from "../middleware/cursors.ts";
import { EVENTS_KEPT, type ExchangeStore, type Head } from "./store.ts";
import type { LiveSockets } from "../live/sockets.ts";

type Timeless<Message> = Message extends unknown ? Omit<Message, "serverNow" | "comeBackWithinMs"> : never;

function textOf(message: Timeless<ExchangeMessage>): string {
  return JSON.stringify(message);
}

/** Greetings at a place in the history: the snapshot, and by where windows were before. */
type Greetings = { head: Head; snapshot: string | null; changes: Map<string, string> };

/** After a deploy so many windows a second are to come back: a third of the aim of bench/reconnect.ts, as claims go on. */
const BACK_A_SECOND = 500;
const LONGEST_COME_BACK_MS = MINUTE_MS;
/** How often the windows are counted; counting thousands for each greeting would be most of its cost. */
const COUNTED_MS = 1_000;

/** Over how long so many windows are to come back (ms). */
export function comeBackWithinMs(windows: number): number {
  return Math.min(LONGEST_COME_BACK_MS, Math.ceil((windows / BACK_A_SECOND) * 1000));
}

/** Windows come back from the last few places; so many texts are kept. */
const MOST_PLACES = 50;

/** A catch-up longer than this (characters) is sent only if it is shorter than a snapshot. */
const LONG_CATCH_UP = 16_384;

/** What the open windows of a region are told: a snapshot or what they missed, then every change. */
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

  /** Tells of committed changes. The buyer's answer leaves first; everybody hears a moment later. */
  tell(changes: MarketChange[]): void {
    this.#unsent.push(...changes);
    if (this.#unsent.length > 0) setTimeout(() => this.broadcastUnsent(), 0);
  }

  broadcastUnsent(): void {
    const changes = this.#unsent.splice(0);
    if (changes.length === 0) return;
    const now = Date.now();
    this.#sockets.broadcast(
      this.#toldAt(now, textOf({ type: "changes", ...this.#store.head(), changes })),
      now,
    );
  }

  /** Forgets what the next greeting would repeat: the same place in the history says something else now. */
  forgetGreetings(): void {
    this.#greetings = null;
  }

  /** The first message to a window that was last at `since`: "epoch:seq:at", without `at` from older ones. */
  greeting(since: string | null, now: number): string {
    const known = this.#known();
    const missed = since === null ? null : this.#missedSince(since, known);
    if (missed !== null && missed.length <= LONG_CATCH_UP) return this.#toldAt(now, missed);
    known.snapshot ??= this.#snapshot(known.head, now);
    const isShorter = missed !== null && missed.length < known.snapshot.length;
    return this.#toldAt(now, isShorter ? missed : known.snapshot);
  }

  /** A message as text, told now: what is the same for everybody is put into text once, the rest each time. */
  #toldAt(now: number, message: string): string {
    if (now - this.#counted.at > COUNTED_MS)
      this.#counted = { at: now, comeBackWithinMs: comeBackWithinMs(this.#sockets.count) };
    const { comeBackWithinMs: within } = this.#counted;
    return `{"serverNow":${now},"comeBackWithinMs":${within},${message.slice(1)}`;
  }

  /** What is told at this place; forgotten with the next change. */
  #known(): Greetings {
    const head = this.#store.head();
    if (this.#greetings?.head !== head) this.#greetings = { head, snapshot: null, changes: new Map() };
    return this.#greetings;
  }

  /** What a window missed since it was there; null when it was not, or too long ago. */
  #missedSince(since: string, { head, changes }: Greetings): string | null {
    const known = changes.get(since);
    if (known) return known;
    const [epoch, seqText, atText] = since.split(":");
    const seq = Number(seqText);
    const isHere = epoch === head.epoch && Number.isInteger(seq) && seq <= head.seq;
    if (!isHere || seq < head.seq - EVENTS_KEPT) return null;
    // The same number in a history that was restored since is another place.
    if (atText !== undefined && this.#store.reachedAt(seq) !== Number(atText)) return null;
    const missed = this.#store.eventsAfter(seq);
    if (missed.length !== head.seq - seq) return null;
    const text = textOf({ type: "changes", ...head, changes: missed });
    // A place can be written in many ways: a few are kept, not whatever is sent.
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
