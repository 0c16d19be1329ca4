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

/** The platform's history of a storage, which outlives the object's instance. */
export type History = {
  /** Returns the bookmark of the storage's state at a time (epoch ms). */
  bookmarkAt: (at: number) => string;
  /** Restores a bookmark once the instance has ended. @returns the bookmark that undoes it */
  restoreLater: (bookmark: string) => string;
};

export class ObjectStorage {
  readonly #statements: Statements;
  readonly #alarm: AlarmClock;
  readonly #history: History;
  /** Whether the disk rejects the next statement of a transaction. */
  readonly #isFull: () => boolean;
  #depth = 0;

  constructor(statements: Statements, alarm: AlarmClock, history: History, isFull: () => boolean) {
    this.#statements = statements;
    this.#alarm = alarm;
    this.#history = history;
    this.#isFull = isFull;
  }

  readonly sql = {
    exec: (text: string, ...values: unknown[]): Cursor => {
      if (this.#depth > 0 && this.#isFull()) throw new Error("database or disk is full: SQLITE_FULL");
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
    this.#depth += 1;
    try {
      return this.#statements.runInTransaction(work);
    } finally {
      this.#depth -= 1;
    }
  }

  async getBookmarkForTime(at: number | Date): Promise<string> {
    return this.#history.bookmarkAt(Number(at));
  }

  async onNextSessionRestoreBookmark(bookmark: string): Promise<string> {
    return this.#history.restoreLater(bookmark);
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
