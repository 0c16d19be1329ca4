import type { Context as HonoContext } from "hono";

import type { Caller } from "./caller.ts";
import { database, type Db } from "./db/client.ts";
import { type Bindings, readSettings, type Settings } from "./env.ts";

/** The bindings, the database and the validated settings, passed to the Worker's functions. */
export type Context = Bindings & { readonly db: Db; readonly settings: Settings };

const contexts = new WeakMap<Bindings, Context>();

/**
 * Returns the context for a request, a cron run, a queue batch or a Durable Object. Only these entry points call it.
 * Cached for each bindings object, because reading all bindings takes about 90 µs.
 * @throws ZodError when a setting is missing or malformed; a deploy with such a setting responds with 500
 */
export function contextOf(bindings: Bindings): Context {
  let context = contexts.get(bindings);
  if (!context) {
    context = { ...bindings, db: database(bindings.DB), settings: readSettings(bindings) };
    contexts.set(bindings, context);
  }
  return context;
}

export type AppEnv = { Bindings: Context & { CALLER: Caller } };
/** Context of a handler behind any gate. */
// oxlint-disable-next-line typescript/no-explicit-any -- Variables differ by gate and are not read through this type
export type AppContext = HonoContext<AppEnv & { Variables: any }>;
