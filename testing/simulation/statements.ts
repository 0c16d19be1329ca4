/** A SQLite in memory whose statements are prepared once, and which goes back to how it was. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type Row = Record<string, unknown>;

/** Rows of a statement: as objects, or as lists of values. */
type Shape = "objects" | "arrays";

const WRITES = /^\s*(insert|update|delete|replace)/i;
const RETURNS = /\breturning\b/i;

/** Where SQLite plans by the value that is bound, and so plans anew whenever another is. */
const PLANNED_BY = /(?:=|<>|\blimit) $/i;
const WORD = /^[a-z_]{1,30}$/;
const MOST_LIMIT = 10_000;

/** What is known of a text: its pieces between the values, and which values stand in the plan. */
type Known = {
  isWriting: boolean;
  returns: boolean;
  pieces: readonly string[] | null;
  prepared: Record<Shape, Map<string, StatementSync>>;
};

/** The text between `?`, or null when no value stands where plans are made by values, or a `?` is no value. */
function piecesOf(text: string): string[] | null {
  const bare = text.replaceAll(/'[^']*'|"[^"]*"/g, "");
  const pieces = text.split("?");
  if (/\?\d|--|\/\*/.test(bare) || bare.split("?").length !== pieces.length) return null;
  return pieces.some((piece, i) => i < pieces.length - 1 && PLANNED_BY.test(piece)) ? pieces : null;
}

/** A value as it stands in a text, or null for one that has to be bound: there are many of its kind. */
function written(piece: string, value: unknown): string | null {
  if (!PLANNED_BY.test(piece)) return null;
  if (typeof value === "string") return WORD.test(value) ? `'${value}'` : null;
  const isLimit = piece.toLowerCase().endsWith("limit ");
  return isLimit && Number.isInteger(value) && Number(value) >= 0 && Number(value) < MOST_LIMIT
    ? String(value)
    : null;
}

export class Statements {
  readonly #db = new DatabaseSync(":memory:");
  readonly #known = new Map<string, Known>();
  readonly #save: StatementSync;
  readonly #release: StatementSync;
  /** Grows whenever something may have been written. */
  revision = 0;
  /** How many rows the last statement has changed; 0 when it only reads. */
  changes = 0;

  /** @param create makes what every world starts with */
  constructor(create: (db: DatabaseSync) => void) {
    create(this.#db);
    this.#save = this.#db.prepare("SAVEPOINT s");
    this.#release = this.#db.prepare("RELEASE s");
    this.#db.exec("BEGIN");
  }

  /** Back to how everything was when it was made. */
  reset(): void {
    this.revision += 1;
    this.#db.exec("ROLLBACK; BEGIN");
  }

  /** Several statements without values, such as a schema. */
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

  #know(text: string): Known {
    let known = this.#known.get(text);
    if (!known) {
      known = {
        isWriting: WRITES.test(text),
        returns: RETURNS.test(text),
        pieces: piecesOf(text),
        prepared: { objects: new Map(), arrays: new Map() },
      };
      this.#known.set(text, known);
    }
    return known;
  }

  /** The statement of a text, prepared once for each plan it may need, and the values that are left to bind. */
  #prepared(
    text: string,
    { pieces, prepared }: Known,
    values: readonly SQLInputValue[],
    shape: Shape,
  ): [StatementSync, readonly SQLInputValue[]] {
    const isPlanned = pieces !== null && values.length === pieces.length - 1;
    const texts = isPlanned ? values.map((value, i) => written(pieces[i]!, value) ?? "?") : [];
    const key = texts.join();
    let statement = prepared[shape].get(key);
    if (!statement) {
      const full = isPlanned ? pieces.map((piece, i) => piece + (texts[i] ?? "")).join("") : text;
      statement = this.#db.prepare(full);
      if (shape === "arrays") statement.setReturnArrays(true);
      prepared[shape].set(key, statement);
    }
    return [statement, isPlanned ? values.filter((_, i) => texts[i] === "?") : values];
  }

  /** All of it or nothing. */
  atomically<T>(work: () => T): T {
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
