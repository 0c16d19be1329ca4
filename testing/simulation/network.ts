/**
 * The connection between two parts of the world. A call may be late or lost, or the part may run it but its
 * response is lost.
 */
import type { Faults, Route } from "./faults.ts";
import { currentProcess, type Scheduler } from "./scheduler.ts";

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
   * @param failure the caller's error if the call or its response is lost
   */
  cross<T>(route: Route, what: string, act: () => T | Promise<T>, failure: () => Error): Promise<T> {
    const asker = currentProcess();
    const fate = this.#faults.fateOf(route, what, asker);
    return new Promise<T>((resolve, reject) => {
      const answer = (ms: number, settle: () => void) =>
        this.#scheduler.after(ms, () => {
          if (asker.isAlive) settle();
        });
      if (fate.isLost) {
        answer(fate.there, () => reject(failure()));
        return;
      }
      const finish = (settle: () => void) =>
        answer(fate.back, fate.isUnanswered ? () => reject(failure()) : settle);
      this.#scheduler.after(fate.there, () => {
        let result: T | Promise<T>;
        try {
          result = act();
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
