/**
 * Steps of a flow: each `yield` is an await, at which anything else may happen first, or the process may
 * be lost. Calls go over a network that loses some.
 */
import type { Answer } from "../../exchange/listing.ts";
import type { World } from "./world.ts";

export type Flow = Generator<void, void, void>;

/** A call, or its answer, never arrived. */
export class Lost extends Error {}

/** A call over the network: it may never arrive, or its answer may be lost. */
export function* over<T>(world: World, act: () => T): Generator<void, T, void> {
  yield;
  if (world.hasFaults && world.chance(0.06)) throw new Lost("Lost on the way");
  const result = act();
  yield;
  if (world.hasFaults && world.chance(0.06)) throw new Lost("The answer was lost");
  return result;
}

/** A question to an exchange, asked again when it gets no answer. */
export function* ask(world: World, act: () => Answer): Generator<void, Answer, void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* over(world, act);
    } catch (error) {
      if (attempt === 3 || !(error instanceof Lost)) throw error;
    }
  }
}
