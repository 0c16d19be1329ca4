import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

import * as schema from "./schema.ts";

export type Db = DrizzleD1Database<typeof schema>;

const known = new WeakMap<D1Database, Db>();

/** Returns Drizzle for a D1 binding. Cached, because building the schema is slow. Drizzle holds no connection. */
export function database(binding: D1Database): Db {
  let db = known.get(binding);
  if (!db) {
    db = drizzle(binding, { schema });
    known.set(binding, db);
  }
  return db;
}
