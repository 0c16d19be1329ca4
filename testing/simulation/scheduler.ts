/**
 * The only clock and the only queue of a simulated world. Everything that crosses a boundary (a call to D1,
 * to an object, to Stripe, a timer, a webhook) becomes an entry with its own time. The queue runs entries in
 * order of time. Between two entries, all code that can run without waiting runs to completion. Only the random times decide the order of awaited work.
 *
 * We do not use fast-check's scheduler: it reorders ready tasks but has no notion of time. Time is essential
 * here, for example when a hold ends while its payment is in transit.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Code that runs and may be lost midway: a request, an object's instance, a sweep, a browser. */
export type Process = {
  name: string;
  isAlive: boolean;
  /** Its machine's clock is ahead by this much, in ms. */
  clockSkewMs?: number;
  /** Whether it may not know what became of one of its calls. */
  isUnsure?: boolean;
  /** Calls that an overloaded object rejected, with their times. */
  refusedCalls?: Map<string, number>;
  /** Kills the process midway; missing if that is not possible. */
  kill?: () => void;
};

const setImmediateOf = setImmediate;
let lastWork: Promise<unknown> = Promise.resolve();
const work = { underWay: 0 };

/** Runs work on the machine's thread pool, one at a time. Otherwise the threads would decide the order of events. */
export function inTurn<T>(start: () => Promise<T>): Promise<T> {
  work.underWay += 1;
  const done = lastWork.then(start).finally(() => (work.underWay -= 1));
  lastWork = done.catch(() => {});
  return done;
}

/** Waits for this process's event loop. Afterwards all code that can run without waiting has run. */
async function drainEventLoop(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediateOf(resolve));
  while (work.underWay > 0);
}

type Entry = { at: number; seq: number; task: (() => void) | null };

export class Scheduler {
  /** Epoch ms with fractions, so that two entries rarely have the same time. */
  #now: number;
  #seq = 0;
  readonly #heap: Entry[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  /** Epoch ms as an integer, like a real clock. */
  get now(): number {
    return Math.floor(this.#now);
  }

  /** Number of waiting entries. */
  get waiting(): number {
    return this.#heap.length;
  }

  /** Schedules an act. @returns a function that cancels it */
  after(ms: number, task: () => void): () => void {
    const entry: Entry = { at: this.#now + Math.max(0, ms), seq: ++this.#seq, task };
    this.#push(entry);
    return () => {
      entry.task = null;
    };
  }

  /** Runs the queue and sets the clock to `end`. @param afterEach runs after every entry */
  async runUntil(end: number, afterEach: () => void): Promise<void> {
    await drainEventLoop();
    for (;;) {
      const entry = this.#heap[0];
      if (!entry || entry.at > end) break;
      this.#pop();
      if (!entry.task) continue;
      this.#now = Math.max(this.#now, entry.at);
      entry.task();
      await drainEventLoop();
      afterEach();
    }
    this.#now = Math.max(this.#now, end);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (isEarlier(heap[parent]!, heap[i]!)) break;
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
      if (left < heap.length && isEarlier(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isEarlier(heap[right]!, heap[least]!)) least = right;
      if (least === i) return;
      [heap[least], heap[i]] = [heap[i]!, heap[least]!];
      i = least;
    }
  }
}

function isEarlier(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** The running process, across every await. It owns all work that it starts, which ends with it. */
export const running = new AsyncLocalStorage<{ world: WorldClock; process: Process }>();

/** Replaces the machine's clock and randomness for code in a simulated world. */
export type WorldClock = {
  readonly scheduler: Scheduler;
  /** Randomness for IDs. */
  readonly ids: { fill<T extends ArrayBufferView>(view: T): T; uuid(): string; next(): number };
  /** A network call from inside the world. */
  fetch(url: string, init: RequestInit): Promise<unknown>;
  /** Receives a line of the Worker's log. */
  onLog(level: string, line: string): void;
};

/** Returns the running process. @throws outside a simulated world */
export function currentProcess(): Process {
  const store = running.getStore();
  if (!store) throw new Error("Nothing is running here");
  return store.process;
}
