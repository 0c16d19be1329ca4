import { type ExchangeMessage, type MarketChange, SNAPSHOT_LEADS } from "../../contract/exchange.ts";
import { encodeCursor } from "../leads/rules.ts";
import { EVENTS_KEPT, type ExchangeStore } from "./exchange-store.ts";
import { broadcast } from "./sockets.ts";

type Head = { epoch: string; seq: number };

function changesText(changes: MarketChange[], head: Head, now: number): string {
  return JSON.stringify({ type: "changes", ...head, serverNow: now, changes } satisfies ExchangeMessage);
}

/** What the open windows of a region are told: a snapshot or what they missed, then every change. */
export class LiveList {
  readonly #ctx: DurableObjectState;
  readonly #store: ExchangeStore;
  #snapshot: { seq: number; text: string } | null = null;
  #unsent: MarketChange[] = [];

  constructor(ctx: DurableObjectState, store: ExchangeStore) {
    this.#ctx = ctx;
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
    const { epoch } = this.#store.head();
    broadcast(this.#ctx, changesText(changes, { epoch, seq: changes.at(-1)!.seq }, Date.now()));
  }

  /** The first message to a window that was last at `since`. */
  greeting(since: string | null, now: number): string {
    const [epoch, seqText] = since?.split(":") ?? [];
    const seq = Number(seqText);
    const head = this.#store.head();
    if (epoch === head.epoch && Number.isInteger(seq) && seq <= head.seq && seq >= head.seq - EVENTS_KEPT) {
      const changes = this.#store.eventsAfter(seq);
      if (changes.length === head.seq - seq) return changesText(changes, head, now);
    }
    return this.#snapshotText(head, now);
  }

  /** Serialised once per seq, however many browsers come back at the same moment. */
  #snapshotText(head: Head, now: number): string {
    if (this.#snapshot?.seq === head.seq) return this.#snapshot.text;
    const { leads, total } = this.#store.newestOpen(SNAPSHOT_LEADS, now);
    const last = leads.at(-1);
    const cursor = last && total > leads.length ? encodeCursor(last) : null;
    const message: ExchangeMessage = { type: "snapshot", ...head, serverNow: now, leads, total, cursor };
    this.#snapshot = { seq: head.seq, text: JSON.stringify(message) };
    return this.#snapshot.text;
  }
}
