/** Reproducible randomness: the same seed and name produce the same numbers. */

/** Hashes text to a 32-bit number (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** One stream of numbers (mulberry32: small, and good enough for choices). */
export class Random {
  #state: number;

  /**
   * @param seed of the whole schedule
   * @param stream the purpose of the numbers. Drawing more from one stream does not change the others
   */
  constructor(seed: number, stream: string) {
    this.#state = (hashOf(`${seed}/${stream}`) ^ seed) >>> 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(likelihood: number): boolean {
    return likelihood > 0 && this.next() < likelihood;
  }

  /** Returns an integer from `low` to `high`, inclusive. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  fill<T extends ArrayBufferView>(view: T): T {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(this.next() * 256);
    return view;
  }

  /** Returns random bytes in the form of a UUID. */
  uuid(): string {
    const part = () =>
      Math.floor(this.next() * 0x100000000)
        .toString(16)
        .padStart(8, "0");
    const [a, b, c, d] = [part(), part(), part(), part()];
    return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
  }
}
