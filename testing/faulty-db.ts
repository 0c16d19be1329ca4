/** Databases that fail, wait or lose a response at a chosen statement. */
import type { Bindings } from "../worker/platform/env.ts";
import { testEnv } from "./client.ts";

/** Bindings with a D1 that throws as soon as it is used. */
export const WITHOUT_D1 = {
  DB: new Proxy({} as D1Database, {
    get() {
      throw new Error("D1 is away");
    },
  }),
};

/** Returns an environment with a D1 that fails statements containing these words, once `when` resolves. */
export function dbLosing(words: string, when: Promise<void> = Promise.resolve()): Bindings {
  const lost = async () => {
    await when;
    throw new Error("D1_ERROR: Network connection lost.");
  };
  const statement: unknown = { bind: () => statement, run: lost, all: lost, raw: lost, first: lost };
  const DB = new Proxy(testEnv.DB, {
    get(real, name) {
      if (name === "prepare") return (sql: string) => (sql.includes(words) ? statement : real.prepare(sql));
      if (name === "batch")
        return (list: D1PreparedStatement[]) =>
          list.some((one) => one === statement) ? lost() : real.batch(list);
      const value: unknown = Reflect.get(real, name);
      return typeof value === "function" ? value.bind(real) : value;
    },
  });
  return { ...testEnv, DB };
}

/** Returns an environment with a D1 that runs hooks before and after statements containing these words. */
export function around(
  words: string,
  { before = async () => {}, after = () => {} }: { before?: () => Promise<void>; after?: () => void },
): Bindings {
  type Statement = D1PreparedStatement;
  const known = new WeakMap<object, { statement: Statement; sql: string }>();
  const carryOut = async <T>(isMeant: boolean, work: () => Promise<T>): Promise<T> => {
    if (isMeant) await before();
    const result = await work();
    if (isMeant) after();
    return result;
  };
  const wrap = (statement: Statement, sql: string): Statement => {
    const isMeant = sql.includes(words);
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      run: () => carryOut(isMeant, () => statement.run()),
      all: () => carryOut(isMeant, () => statement.all()),
      raw: () => carryOut(isMeant, () => statement.raw()),
    } as unknown as Statement;
    known.set(wrapped, { statement, sql });
    return wrapped;
  };
  const DB = {
    prepare: (sql: string) => wrap(testEnv.DB.prepare(sql), sql),
    batch(list: Statement[]) {
      const all = list.map((one) => known.get(one)!);
      const isMeant = all.some(({ sql }) => sql.includes(words));
      return carryOut(isMeant, () => testEnv.DB.batch(all.map(({ statement }) => statement)));
    },
  } as unknown as D1Database;
  return { ...testEnv, DB };
}

/** Returns an environment with a D1 that delays statements containing these words until `when` resolves. */
export const delaying = (words: string, when: Promise<void>) => around(words, { before: () => when });

/** Returns an environment with a D1 that runs statements containing these words but loses the response. */
export const dbLosingResponse = (words: string) =>
  around(words, {
    after() {
      throw new Error("D1_ERROR: Network connection lost.");
    },
  });

/** Returns an environment in which `other` happens before the first statement containing these words. */
export function racing(words: string, other: () => Promise<unknown>): Bindings {
  let hasRaced = false;
  const before = async () => {
    if (hasRaced) return;
    hasRaced = true;
    await other();
  };
  return around(words, { before });
}
