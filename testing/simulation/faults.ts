/** Decides which faults occur in a schedule, and when. */
import type { Feature } from "./features.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** The two ends of a call. */
export type Route = "d1" | "object" | "stripe" | "browser";

/** The outcome of a call; times in ms. */
export type Fate = {
  there: number;
  back: number;
  isLost: boolean;
  isUnanswered: boolean;
};

const LIKELY = { lost: 0.02, unheard: 0.02, slow: 0.02, killed: 0.012, full: 0.006 } as const;

/** Maximum duration of a call in each direction without faults, in ms. */
const USUAL_MS: Readonly<Record<Route, number>> = { d1: 12, object: 6, stripe: 250, browser: 60 };

/** Maximum difference between an object's clock and the Workers', in ms. */
export const MAX_CLOCK_SKEW_MS = 2_000;

export class Faults {
  readonly #features: ReadonlySet<Feature>;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #tell: (line: () => string) => void;
  #d1AwayUntil = 0;
  /** How often each feature has occurred. We have not tested a feature that never occurs. */
  readonly happened = new Map<Feature, number>();
  /** Whether faults have stopped, so that the world can finish its work. */
  isCalm = false;

  constructor(
    features: ReadonlySet<Feature>,
    random: Random,
    scheduler: Scheduler,
    tell: (line: () => string) => void,
  ) {
    this.#features = features;
    this.#random = random;
    this.#scheduler = scheduler;
    this.#tell = tell;
  }

  /** Decides whether a fault occurs now, and records it. @param likelihood from 0 to 1 */
  strikes(feature: Feature, likelihood: number): boolean {
    const strikes = !this.isCalm && this.#features.has(feature) && this.#random.chance(likelihood);
    if (strikes) this.note(feature);
    return strikes;
  }

  /** Records that a feature has occurred. */
  note(feature: Feature): void {
    this.happened.set(feature, (this.happened.get(feature) ?? 0) + 1);
  }

  /** Returns a random duration up to a maximum, in ms. */
  delay(mostMs: number): number {
    return this.#random.between(0.05, 1) * mostMs;
  }

  /** Returns a random offset by which an object's clock is ahead, in ms. */
  drawClockSkew(): number {
    if (!this.#features.has("clock_skew")) return 0;
    this.note("clock_skew");
    return Math.round(this.#random.between(-MAX_CLOCK_SKEW_MS, MAX_CLOCK_SKEW_MS));
  }

  takeD1Away(ms: number): void {
    this.#d1AwayUntil = this.#scheduler.now + ms;
  }

  /** Returns whether an object's disk rejects a write. */
  readonly isDiskFull = (): boolean => {
    const isFull = this.strikes("disk_full", LIKELY.full);
    if (isFull) this.#tell(() => "an object's disk is full for a moment");
    return isFull;
  };

  fateOf(route: Route, what: string, asker: Process): Fate {
    const usual = USUAL_MS[route];
    const fate = { there: this.delay(usual), back: this.delay(usual), isLost: false, isUnanswered: false };
    if (this.isCalm) return fate;
    if (this.strikes("slow_calls", LIKELY.slow)) {
      const way = this.#random.chance(0.5) ? "there" : "back";
      fate[way] = this.#random.chance(0.5)
        ? this.#random.between(200, 4000)
        : this.#random.between(4000, 25_000);
      this.#tell(
        () =>
          `${asker.name}: ${Math.round(fate[way])} ms ${way === "there" ? "until arrival" : "for the answer"}: ${what}`,
      );
    }
    if (route === "d1" && this.#scheduler.now < this.#d1AwayUntil) {
      fate.isLost = true;
      this.note("d1_away");
    } else if (this.strikes("lost_calls", LIKELY.lost)) fate.isLost = true;
    else if (this.strikes("lost_answers", LIKELY.unheard)) fate.isUnanswered = true;
    if (fate.isLost) this.#tell(() => `${asker.name}: lost: ${what}`);
    if (fate.isUnanswered) this.#tell(() => `${asker.name}: will be done, answer lost: ${what}`);
    this.#perhapsKill(asker, fate.there + fate.back, what);
    return fate;
  }

  #perhapsKill(asker: Process, ms: number, what: string): void {
    const { kill } = asker;
    if (!kill || !this.strikes(asker.isObject ? "evictions" : "killed_requests", LIKELY.killed)) return;
    this.#scheduler.after(this.#random.next() * ms, () => {
      if (!asker.isAlive) return;
      this.#tell(() => `${asker.name} is ended in the middle of: ${what}`);
      kill();
    });
  }
}
