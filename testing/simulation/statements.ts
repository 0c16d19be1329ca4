/** An in-memory SQLite with cached prepared statements and a reset to its initial state. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type Row = Record<string, unknown>;

/** Shape of a statement's rows: objects, or arrays of values. */
type Shape = "objects" | "arrays";

const WRITES = /^\s*(insert|update|delete|replace)/i;
const RETURNS = /\breturning\b/i;

type CachedStatement = { isWriting: boolean; returns: boolean; statement: StatementSync };

export class Statements {
  readonly #db = new DatabaseSync(":memory:");
  readonly #known = new Map<string, CachedStatement>();
  readonly #save: StatementSync;
  readonly #release: StatementSync;
  /** Increments whenever data may have been written. */
  revision = 0;
  /** Rows changed by the last statement; 0 for a read. */
  changes = 0;

  /** Fills one of SQLite's random blobs. Each world sets its own. */
  drawBlob = (blob: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(blob);

  /** @param create creates the initial state of every world */
  constructor(create: (db: DatabaseSync) => void) {
    this.#db.function("randomblob", (bytes) => this.drawBlob(new Uint8Array(Number(bytes))));
    create(this.#db);
    this.#save = this.#db.prepare("SAVEPOINT s");
    this.#release = this.#db.prepare("RELEASE s");
    this.#db.exec("BEGIN");
  }

  /** Resets all data to its initial state. */
  reset(): void {
    this.revision += 1;
    this.#db.exec("ROLLBACK; BEGIN");
  }

  /** Runs several statements without values, such as a schema. */
  script(text: string): void {
    this.revision += 1;
    this.#db.exec(text);
  }

  rows(text: string, values: readonly unknown[], shape: Shape = "objects"): unknown[] {
    const { isWriting, returns, statement } = this.#know(text);
    const bound = values as SQLInputValue[];
    statement.setReturnArrays(shape === "arrays");
    this.changes = 0;
    if (!isWriting) return statement.all(...bound);
    this.revision += 1;
    if (returns) {
      const rows = statement.all(...bound);
      this.changes = rows.length;
      return rows;
    }
    this.changes = Number(statement.run(...bound).changes);
    return [];
  }

  #know(text: string): CachedStatement {
    let known = this.#known.get(text);
    if (!known) {
      known = {
        isWriting: WRITES.test(text),
        returns: RETURNS.test(text),
        statement: this.#db.prepare(text),
      };
      this.#known.set(text, known);
    }
    return known;
  }

  /** Runs the work in a transaction. */
  runInTransaction<T>(work: () => T): T {
    this.#save.run();
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.revision += 1;
      this.#db.exec("ROLLBACK TO s; RELEASE s");
      throw error;
    }
    this.#release.run();
    return result;
  }
}
