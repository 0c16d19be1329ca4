/**
 * The connection between two parts of the world. A call may be late or lost, or the part may run it but its
 * response is lost.
 */
import type { Faults, Route } from "./faults.ts";
import { currentProcess, type Scheduler } from "./scheduler.ts";

/** Rejects a `fetch` when its caller gives up. The called service still does its work. */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return answer;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
  aborted.catch(() => {});
  return Promise.race([answer, aborted]);
}

export class Network {
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;

  constructor(scheduler: Scheduler, faults: Faults) {
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  /**
   * Carries a call to its target and the response back. The target runs the call even if the caller ends
   * before the response.
   *
   * @param what the call's description for the story
   * @param makeError the caller's error if the call or its response is lost
   */
  send<T>(route: Route, what: string, handle: () => T | Promise<T>, makeError: () => Error): Promise<T> {
    const caller = currentProcess();
    const outcome = this.#faults.drawOutcome(route, what, caller);
    return new Promise<T>((resolve, reject) => {
      const respond = (ms: number, settle: () => void) =>
        this.#scheduler.after(ms, () => {
          if (caller.isAlive) settle();
        });
      if (outcome.isLost) {
        respond(outcome.requestMs, () => reject(makeError()));
        return;
      }
      const finish = (settle: () => void) =>
        respond(outcome.responseMs, outcome.isResponseLost ? () => reject(makeError()) : settle);
      this.#scheduler.after(outcome.requestMs, () => {
        let result: T | Promise<T>;
        try {
          result = handle();
        } catch (error) {
          finish(() => reject(error as Error));
          return;
        }
        if (!(result instanceof Promise)) {
          const value = result;
          finish(() => resolve(value));
          return;
        }
        result.then(
          (value) => finish(() => resolve(value)),
          (error: unknown) => finish(() => reject(error as Error)),
        );
      });
    });
  }
}
