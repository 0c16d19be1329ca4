/**
 * A D1 that counts what it is asked: how many statements that name certain tables, and how many rows D1
 * says they read.
 */
export function meteredDatabase(DB: D1Database, counted: RegExp) {
  const usage = { statements: 0, rowsRead: 0 };
  const meter = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => meter(target.bind(...values), sql);
        if (name === "raw" && counted.test(sql)) {
          return async (...options: []) => {
            // The raw answer says nothing about rows: the same statement is asked once more.
            const { meta } = await target.all();
            usage.statements += 1;
            usage.rowsRead += meta.rows_read;
            return target.raw(...options);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const metered = new Proxy(DB, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => meter(target.prepare(sql), sql);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { DB: metered, usage };
}
