/** An in-memory SQLite with cached prepared statements and a reset to its initial state. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type Row = Record<string, unknown>;

/** Shape of a statement's rows: objects, or arrays of values. */
type Shape = "objects" | "arrays";

const WRITES = /^\s*(insert|update|delete|replace)/i;
const RETURNS = /\breturning\b/i;

/** Places where SQLite plans by the bound value, and plans again when the value changes. */
const PLANNER_INPUT = /(?:=|<>|\blimit) $/i;
const WORD = /^[a-z_]{1,30}$/;
const MAX_INLINED_LIMIT = 10_000;

/** A known statement: the SQL between its values, and its prepared statements. */
type CachedStatement = {
  isWriting: boolean;
  returns: boolean;
  pieces: readonly string[] | null;
  prepared: Record<Shape, Map<string, StatementSync>>;
};

/** Returns the SQL between the `?`s; null if no value affects the plan or a `?` is not a placeholder. */
function splitAtValues(text: string): string[] | null {
  const bare = text.replaceAll(/'[^']*'|"[^"]*"/g, "");
  const pieces = text.split("?");
  if (/\?\d|--|\/\*/.test(bare) || bare.split("?").length !== pieces.length) return null;
  return pieces.some((piece, i) => i < pieces.length - 1 && PLANNER_INPUT.test(piece)) ? pieces : null;
}

/** Returns a value as SQL text; null if it must be bound, because it has too many possible values. */
function written(piece: string, value: unknown): string | null {
  if (!PLANNER_INPUT.test(piece)) return null;
  if (typeof value === "string") return WORD.test(value) ? `'${value}'` : null;
  const isLimit = piece.toLowerCase().endsWith("limit ");
  return isLimit && Number.isInteger(value) && Number(value) >= 0 && Number(value) < MAX_INLINED_LIMIT
    ? String(value)
    : null;
}

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
    const known = this.#know(text);
    const [statement, bound] = this.#prepared(text, known, values as SQLInputValue[], shape);
    this.changes = 0;
    if (!known.isWriting) return statement.all(...bound);
    this.revision += 1;
    if (known.returns) {
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
        pieces: splitAtValues(text),
        prepared: { objects: new Map(), arrays: new Map() },
      };
      this.#known.set(text, known);
    }
    return known;
  }

  /**
   * Returns the prepared statement for this text, prepared once for each plan it may need, with the values
   * left to bind.
   */
  #prepared(
    text: string,
    { pieces, prepared }: CachedStatement,
    values: readonly SQLInputValue[],
    shape: Shape,
  ): [StatementSync, readonly SQLInputValue[]] {
    const canInline = pieces !== null && values.length === pieces.length - 1;
    const texts = canInline ? values.map((value, i) => written(pieces[i]!, value) ?? "?") : [];
    const key = texts.join();
    let statement = prepared[shape].get(key);
    if (!statement) {
      const full = canInline ? pieces.map((piece, i) => piece + (texts[i] ?? "")).join("") : text;
      statement = this.#db.prepare(full);
      if (shape === "arrays") statement.setReturnArrays(true);
      prepared[shape].set(key, statement);
    }
    return [statement, canInline ? values.filter((_, i) => texts[i] === "?") : values];
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
