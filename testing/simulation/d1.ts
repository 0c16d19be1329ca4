/** D1's binding over in-memory SQLite, behind the simulated network. A batch is atomic. */
import type { Network } from "./network.ts";
import type { Statements } from "./statements.ts";

/** Returns the error of a call that did not reach D1, or whose response was lost. */
const connectionLost = () => new Error("D1_ERROR: Network connection lost.");

/** Returns an error with D1's wording. */
function withD1Wording(error: unknown): Error {
  const { message } = error as Error;
  return new Error(`D1_ERROR: ${message}${message.includes("constraint") ? ": SQLITE_CONSTRAINT" : ""}`);
}

function bindable(values: unknown[]): unknown[] {
  return values.map((value) => {
    if (value === undefined)
      throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
    return typeof value === "boolean" ? Number(value) : value;
  });
}

class Statement {
  readonly #d1: SimulatedD1;
  readonly text: string;
  readonly values: unknown[];

  constructor(d1: SimulatedD1, text: string, values: unknown[] = []) {
    this.#d1 = d1;
    this.text = text;
    this.values = values;
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#d1, this.text, bindable(values));
  }

  all() {
    return this.#d1.runStatement(this.text, () => this.#d1.result(this));
  }

  run() {
    return this.all();
  }

  raw() {
    return this.#d1.runStatement(this.text, () => this.#d1.statements.rows(this.text, this.values, "arrays"));
  }

  async first(column?: string) {
    const { results } = await this.all();
    const row = (results[0] as Record<string, unknown> | undefined) ?? null;
    return row && column ? row[column] : row;
  }
}

export class SimulatedD1 {
  readonly statements: Statements;
  readonly #network: Network;

  constructor(statements: Statements, network: Network) {
    this.statements = statements;
    this.#network = network;
  }

  prepare(text: string): Statement {
    return new Statement(this, text);
  }

  batch(list: Statement[]) {
    const text = list.map((statement) => statement.text).join("; ");
    return this.runStatement(text, () =>
      this.statements.runInTransaction(() => list.map((statement) => this.result(statement))),
    );
  }

  /** Carries a query to D1 and its response back. */
  runStatement<T>(text: string, query: () => T): Promise<T> {
    return this.#network.send(
      "d1",
      text,
      () => {
        try {
          return query();
        } catch (error) {
          throw withD1Wording(error);
        }
      },
      connectionLost,
    );
  }

  result({ text, values }: Statement) {
    const results = this.statements.rows(text, values);
    return { success: true, results, meta: { changes: this.statements.changes } };
  }
}
