/**
 * The one clock and the one queue of a simulated world. Whatever crosses a boundary (a call to D1, to an
 * object, to Stripe, a timer, a webhook) becomes an entry with a time of its own; the queue is worked off
 * by time, and between two entries everything that can run without waiting runs to its end. So the times
 * that were drawn decide the order of everything that is awaited, and nothing else does.
 *
 * Our own and not fast-check's: its scheduler permutes what is ready, but knows no time, and here time is
 * half of the story (a hold that ends while its payment is on the way).
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Something that runs and can be lost midway: a request, an object's instance, a sweep, a browser. */
export type Process = {
  name: string;
  isAlive: boolean;
  isObject: boolean;
  /** Ends it in the middle; what cannot be ended so has none. */
  kill?: () => void;
};

/** A wait for the queue of this machine: whatever can run without waiting has run then. */
const breathe = () => new Promise<void>((resolve) => setImmediateOf(resolve));
const setImmediateOf = setImmediate;

type Entry = { at: number; seq: number; act: (() => void) | null };

export class Scheduler {
  /** Epoch ms, with fractions: two entries hardly ever share a moment. */
  #now: number;
  #seq = 0;
  readonly #heap: Entry[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  /** Epoch ms, whole, as clocks tell them. */
  get now(): number {
    return Math.floor(this.#now);
  }

  /** How many entries are waiting. */
  get waiting(): number {
    return this.#heap.length;
  }

  /** Has something happen after a while. @returns takes it back */
  after(ms: number, act: () => void): () => void {
    const entry: Entry = { at: this.#now + Math.max(0, ms), seq: ++this.#seq, act };
    this.#push(entry);
    return () => {
      entry.act = null;
    };
  }

  /** Works the queue off up to a moment; time stands there afterwards. @param afterEach runs after every entry */
  async runUntil(end: number, afterEach: () => void): Promise<void> {
    await breathe();
    for (;;) {
      const entry = this.#heap[0];
      if (!entry || entry.at > end) break;
      this.#pop();
      if (!entry.act) continue;
      this.#now = Math.max(this.#now, entry.at);
      entry.act();
      await breathe();
      afterEach();
    }
    this.#now = Math.max(this.#now, end);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (isSooner(heap[parent]!, heap[i]!)) break;
      [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
      i = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let i = 0; ;) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && isSooner(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isSooner(heap[right]!, heap[least]!)) least = right;
      if (least === i) return;
      [heap[least], heap[i]] = [heap[i]!, heap[least]!];
      i = least;
    }
  }
}

function isSooner(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** Who is running, through every await: whatever they start is theirs and ends with them. */
export const running = new AsyncLocalStorage<{ world: WorldClock; process: Process }>();

/** What code that runs in a simulated world gets instead of the machine's own clock and chance. */
export type WorldClock = {
  readonly scheduler: Scheduler;
  /** Chance for ids. */
  readonly ids: { fill<T extends ArrayBufferView>(view: T): T; uuid(): string; next(): number };
  /** A call over the network from inside. */
  fetch(url: string, init: RequestInit): Promise<unknown>;
  /** A line of the Worker's own log. */
  hear(level: string, line: string): void;
};

/** The process that is running. @throws outside of a simulated world */
export function currentProcess(): Process {
  const store = running.getStore();
  if (!store) throw new Error("Nothing is running here");
  return store.process;
}
