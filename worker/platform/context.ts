import { type Db, database } from "./db/client.ts";
import { type Bindings, type Settings, settings } from "./env.ts";

/** The bindings, the database and the validated settings, passed to the Worker's functions. */
export type Context = Bindings & { readonly db: Db; readonly settings: Settings };

/**
 * Returns the context for a request, a cron run, a queue batch or a Durable Object. Only these entry points call it.
 * @throws ZodError when a setting is missing or malformed
 */
export function contextOf(bindings: Bindings): Context {
  return { ...bindings, db: database(bindings.DB), settings: settings(bindings) };
}
