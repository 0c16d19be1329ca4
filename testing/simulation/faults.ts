/** Decides which faults occur in a schedule, and when they occur. */
import type { Feature } from "./features.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** The two ends of a call. */
export type Route = "d1" | "object" | "stripe" | "browser" | "queue" | "sender";

/** The outcome of a call; times in ms. */
type CallOutcome = {
  requestMs: number;
  responseMs: number;
  isLost: boolean;
  isResponseLost: boolean;
};

const CALL_FAULT_SHARE = 0.06;
const SENDER_FAULT_SHARE = 0.35;
const CRASH_SHARE = 0.012;
/** Share of the webhooks, queued messages and text reports that are lost, late or doubled. */
const DELIVERY_FAULT_SHARE = 0.6;

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
  /** Whether a fault has occurred that only the nightly reconciliation is certain to repair. */
  needsNightly = false;

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

  /** Decides whether a fault occurs now, and in which form. @returns null if it does not occur */
  pickFault<T>(feature: Feature, likelihood: number, forms: readonly T[]): T | null {
    return this.maybeInject(feature, likelihood) ? this.#random.pick(forms) : null;
  }

  /** Returns the delay of each copy of a message, in ms: one copy soon, unless the fault occurs. */
  drawDeliveries(feature: Feature, soonMs: number, lateMs: number): readonly number[] {
    const [soon, late] = [this.delay(soonMs), this.delay(lateMs)];
    const forms = [[], [late], [soon, soon], [soon, late]];
    return this.pickFault(feature, DELIVERY_FAULT_SHARE, forms) ?? [soon];
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
    if (route === "d1" && this.#scheduler.now < this.#d1AwayUntil) {
      outcome.isLost = true;
      this.recordFault("d1_away");
    } else {
      const forms = ["isLost", "isResponseLost", "requestMs", "responseMs"] as const;
      const fault =
        this.pickFault("calls", CALL_FAULT_SHARE, forms) ??
        (route === "sender" ? this.pickFault("senders", SENDER_FAULT_SHARE, forms) : null);
      if (fault === "isLost" || fault === "isResponseLost") outcome[fault] = true;
      else if (fault) {
        const slowest = this.#random.pick([4_000, 25_000]);
        outcome[fault] = this.#random.between(200, slowest);
        this.#logStep(
          () =>
            `${caller.name}: ${Math.round(outcome[fault])} ms ${fault === "requestMs" ? "until arrival" : "for the answer"}: ${description}`,
        );
      }
    }
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
    if (!kill || !this.maybeInject("crashes", CRASH_SHARE)) return;
    this.#scheduler.after(this.#random.next() * ms, () => {
      if (!caller.isAlive) return;
      this.#logStep(() => `${caller.name} is ended in the middle of: ${description}`);
      kill();
    });
  }
}
