/** Counts what a request costs in D1, as its bill would, and keeps what it read: calls made, statements sent, rows read. */

/** A batch is one call, however many statements it has. */
export type Cost = { calls: number; statements: number; rowsRead: number };

/** @returns a database that does what `db` does, adds up its cost and keeps the rows that came back */
export function countingDb(db: D1Database): { db: D1Database; cost: Cost; rows: unknown[] } {
  const cost: Cost = { calls: 0, statements: 0, rowsRead: 0 };
  const rows: unknown[] = [];
  const note = (results: D1Result[]) => {
    cost.calls++;
    cost.statements += results.length;
    for (const result of results) {
      cost.rowsRead += result.meta.rows_read;
      rows.push(...(result.results ?? []));
    }
  };
  const bare = new WeakMap<object, D1PreparedStatement>();
  const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = {
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      async all() {
        const result = await statement.all();
        note([result]);
        return result;
      },
      async run() {
        const result = await statement.run();
        note([result]);
        return result;
      },
      // Neither tells its cost: it is taken from the same statement run once more.
      async raw() {
        note([await statement.all()]);
        return statement.raw();
      },
      async first(column?: string) {
        note([await statement.all()]);
        return column === undefined ? statement.first() : statement.first(column);
      },
    } as unknown as D1PreparedStatement;
    bare.set(proxy, statement);
    return proxy;
  };
  const counting = {
    prepare: (sql: string) => counted(db.prepare(sql)),
    async batch(statements: D1PreparedStatement[]) {
      const results = await db.batch(statements.map((statement) => bare.get(statement)!));
      note(results);
      return results;
    },
  } as unknown as D1Database;
  return { db: counting, cost, rows };
}
