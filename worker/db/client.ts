import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

import * as schema from "./schema.ts";

export type Db = DrizzleD1Database<typeof schema>;

/** Drizzle over a D1 binding. Cheap: it holds no connection. */
export function database(binding: D1Database): Db {
  return drizzle(binding, { schema });
}
