/** Decides which faults occur in a schedule, and when they occur. */
import type { Feature } from "./features.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** The two ends of a call. */
export type Route = "d1" | "object" | "stripe" | "browser" | "queue" | "sender";

/** The outcome of a call; times in ms. */
export type CallOutcome = {
  requestMs: number;
  responseMs: number;
  isLost: boolean;
  isResponseLost: boolean;
};

const LIKELIHOODS = { lost: 0.02, responseLost: 0.02, slow: 0.02, killed: 0.012 } as const;

/** Maximum duration of a call in each direction without faults, in ms. */
const USUAL_MS: Readonly<Record<Route, number>> = {
  d1: 12,
  object: 6,
  stripe: 250,
  browser: 60,
  queue: 20,
  sender: 300,
};

/** The Worker waits 10 s for an answer at most. After that it does not know what became of its call. */
const LONGEST_WAIT_MS = 9_500;

/** Maximum difference between an object's clock and the Workers', in ms. */
export const MAX_CLOCK_SKEW_MS = 2_000;

export class Faults {
  readonly #features: ReadonlySet<Feature>;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #logStep: (line: () => string) => void;
  #d1AwayUntil = 0;
  /** Occurrences of each feature. A feature that never occurs has not been tested. */
  readonly occurrences = new Map<Feature, number>();
  /** Whether faults have stopped, so that the world can finish its work. */
  areFaultsStopped = false;

  constructor(
    features: ReadonlySet<Feature>,
    random: Random,
    scheduler: Scheduler,
    logStep: (line: () => string) => void,
  ) {
    this.#features = features;
    this.#random = random;
    this.#scheduler = scheduler;
    this.#logStep = logStep;
  }

  /** Decides whether a fault occurs now, and records it. @param likelihood from 0 to 1 */
  maybeInject(feature: Feature, likelihood: number): boolean {
    const shouldInject =
      !this.areFaultsStopped && this.#features.has(feature) && this.#random.chance(likelihood);
    if (shouldInject) this.recordFault(feature);
    return shouldInject;
  }

  /** Records that a feature has occurred. */
  recordFault(feature: Feature): void {
    this.occurrences.set(feature, (this.occurrences.get(feature) ?? 0) + 1);
  }

  /** Returns a random duration up to a maximum, in ms. */
  delay(maxMs: number): number {
    return this.#random.between(0.05, 1) * maxMs;
  }

  /** Returns a random offset by which an object's clock is ahead, in ms. */
  drawClockSkew(): number {
    if (!this.#features.has("clock_skew")) return 0;
    this.recordFault("clock_skew");
    return Math.round(this.#random.between(-MAX_CLOCK_SKEW_MS, MAX_CLOCK_SKEW_MS));
  }

  makeD1Unavailable(ms: number): void {
    this.#d1AwayUntil = this.#scheduler.now + ms;
  }

  drawOutcome(route: Route, description: string, caller: Process): CallOutcome {
    const usual = USUAL_MS[route];
    const outcome = {
      requestMs: this.delay(usual),
      responseMs: this.delay(usual),
      isLost: false,
      isResponseLost: false,
    };
    if (this.areFaultsStopped) return outcome;
    if (this.maybeInject("slow_calls", LIKELIHOODS.slow)) {
      const way = this.#random.chance(0.5) ? "requestMs" : "responseMs";
      outcome[way] = this.#random.chance(0.5)
        ? this.#random.between(200, 4000)
        : this.#random.between(4000, 25_000);
      this.#logStep(
        () =>
          `${caller.name}: ${Math.round(outcome[way])} ms ${way === "requestMs" ? "until arrival" : "for the answer"}: ${description}`,
      );
    }
    if (route === "sender" && this.maybeInject("slow_senders", 0.2))
      outcome[this.#random.chance(0.3) ? "requestMs" : "responseMs"] = this.#random.between(2_000, 30_000);
    if (route === "d1" && this.#scheduler.now < this.#d1AwayUntil) {
      outcome.isLost = true;
      this.recordFault("d1_away");
    } else if (this.maybeInject("lost_calls", LIKELIHOODS.lost)) outcome.isLost = true;
    else if (this.maybeInject("lost_answers", LIKELIHOODS.responseLost)) outcome.isResponseLost = true;
    if (route === "sender" && this.maybeInject("unsure_senders", 0.2))
      outcome[this.#random.chance(0.5) ? "isLost" : "isResponseLost"] = true;
    if (outcome.isLost || outcome.isResponseLost || outcome.requestMs + outcome.responseMs > LONGEST_WAIT_MS)
      caller.isUnsure = true;
    if (outcome.isLost) this.#logStep(() => `${caller.name}: lost: ${description}`);
    if (outcome.isResponseLost)
      this.#logStep(() => `${caller.name}: will be done, answer lost: ${description}`);
    this.#perhapsKill(caller, outcome.requestMs + outcome.responseMs, description);
    return outcome;
  }

  #perhapsKill(caller: Process, ms: number, description: string): void {
    const { kill } = caller;
    if (!kill || !this.maybeInject(caller.isObject ? "evictions" : "killed_requests", LIKELIHOODS.killed))
      return;
    this.#scheduler.after(this.#random.next() * ms, () => {
      if (!caller.isAlive) return;
      this.#logStep(() => `${caller.name} is ended in the middle of: ${description}`);
      kill();
    });
  }
}
