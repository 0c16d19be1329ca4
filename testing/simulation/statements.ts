/** A SQLite in memory whose statements are prepared once, and which goes back to how it was. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type Row = Record<string, unknown>;

/** Rows of a statement: as objects, or as lists of values. */
type Shape = "objects" | "arrays";

const WRITES = /^\s*(insert|update|delete|replace)/i;

export class Statements {
  readonly #db = new DatabaseSync(":memory:");
  readonly #known: Record<Shape, Map<string, StatementSync>> = { objects: new Map(), arrays: new Map() };
  readonly #writes = new Map<string, boolean>();
  readonly #countChanges: StatementSync;
  /** Grows whenever something may have been written. */
  revision = 0;

  /** @param create makes what every world starts with */
  constructor(create: (db: DatabaseSync) => void) {
    create(this.#db);
    this.#countChanges = this.#db.prepare("SELECT changes() AS n");
    this.#db.exec("BEGIN");
  }

  /** Back to how everything was when it was made. */
  reset(): void {
    this.revision += 1;
    this.#db.exec("ROLLBACK; BEGIN");
  }

  /** Several statements without values, such as a schema. */
  script(text: string): void {
    this.#db.exec(text);
  }

  rows(text: string, values: readonly unknown[], shape: Shape = "objects"): unknown[] {
    let statement = this.#known[shape].get(text);
    if (!statement) {
      statement = this.#db.prepare(text);
      if (shape === "arrays") statement.setReturnArrays(true);
      this.#known[shape].set(text, statement);
    }
    if (this.#isWriting(text)) this.revision += 1;
    return statement.all(...(values as SQLInputValue[]));
  }

  /** How many rows the statement that just ran has changed; 0 when it only reads. */
  changesOf(text: string): number {
    return this.#isWriting(text) ? Number((this.#countChanges.get() as { n: number }).n) : 0;
  }

  #isWriting(text: string): boolean {
    let writes = this.#writes.get(text);
    if (writes === undefined) this.#writes.set(text, (writes = WRITES.test(text)));
    return writes;
  }

  /** All of it or nothing. */
  atomically<T>(work: () => T): T {
    this.#db.exec("SAVEPOINT s");
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.revision += 1;
      this.#db.exec("ROLLBACK TO s; RELEASE s");
      throw error;
    }
    this.#db.exec("RELEASE s");
    return result;
  }
}
