/** An object's storage: SQL with cursors, transactions that roll back, and a single alarm. */
import type { Statements } from "./statements.ts";

/** The runtime's cursor, over rows that were all read at once. */
class Cursor {
  readonly #rows: unknown[];
  readonly rowsWritten: number;
  readonly rowsRead: number;

  constructor(rows: unknown[], rowsWritten: number) {
    this.#rows = rows;
    this.rowsWritten = rowsWritten;
    this.rowsRead = rows.length;
  }

  toArray(): unknown[] {
    return this.#rows;
  }

  one(): unknown {
    if (this.#rows.length !== 1) throw new Error(`Expected exactly one result, got ${this.#rows.length}`);
    return this.#rows[0];
  }

  [Symbol.iterator]() {
    return this.#rows[Symbol.iterator]();
  }
}

/** Stores the alarm, which outlives the object's instance. */
export type AlarmClock = { at: number | null; set: (at: number | null) => void };

export class ObjectStorage {
  readonly #statements: Statements;
  readonly #alarm: AlarmClock;

  constructor(statements: Statements, alarm: AlarmClock) {
    this.#statements = statements;
    this.#alarm = alarm;
  }

  readonly sql = {
    exec: (text: string, ...values: unknown[]): Cursor => {
      // Only schemas contain several statements, and they bind no values.
      if (values.length === 0 && text.includes(";")) {
        this.#statements.script(text);
        return new Cursor([], 0);
      }
      const rows = this.#statements.rows(text, values);
      return new Cursor(rows, this.#statements.changes);
    },
  };

  transactionSync<T>(work: () => T): T {
    return this.#statements.runInTransaction(work);
  }

  async getAlarm(): Promise<number | null> {
    return this.#alarm.at;
  }

  async setAlarm(at: number | Date): Promise<void> {
    this.#alarm.set(Number(at));
  }

  async deleteAlarm(): Promise<void> {
    this.#alarm.set(null);
  }
}
