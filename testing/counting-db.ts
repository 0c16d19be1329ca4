/** Counts what a request costs in D1, as billed: calls, statements and rows read. Also records the rows. */

/** A batch counts as one call, however many statements it contains. */
export type Cost = { calls: number; statements: number; rowsRead: number };

/** @returns a database that works like `db`, adds up its cost and records the returned rows */
export function countingDb(db: D1Database): { db: D1Database; cost: Cost; rows: unknown[] } {
  const cost: Cost = { calls: 0, statements: 0, rowsRead: 0 };
  const rows: unknown[] = [];
  const addCost = (results: D1Result[]) => {
    cost.calls++;
    cost.statements += results.length;
    for (const result of results) {
      cost.rowsRead += result.meta.rows_read;
      rows.push(...(result.results ?? []));
    }
  };
  const bare = new WeakMap<object, D1PreparedStatement>();
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = {
      bind: (...values: unknown[]) => wrapStatement(statement.bind(...values)),
      async all() {
        const result = await statement.all();
        addCost([result]);
        return result;
      },
      async run() {
        const result = await statement.run();
        addCost([result]);
        return result;
      },
      // `raw` and `first` do not report their cost, so run the statement again to measure it.
      async raw() {
        addCost([await statement.all()]);
        return statement.raw();
      },
      async first(column?: string) {
        addCost([await statement.all()]);
        return column === undefined ? statement.first() : statement.first(column);
      },
    } as unknown as D1PreparedStatement;
    bare.set(proxy, statement);
    return proxy;
  };
  const counting = {
    prepare: (sql: string) => wrapStatement(db.prepare(sql)),
    async batch(statements: D1PreparedStatement[]) {
      const results = await db.batch(statements.map((statement) => bare.get(statement)!));
      addCost(results);
      return results;
    },
  } as unknown as D1Database;
  return { db: counting, cost, rows };
}
