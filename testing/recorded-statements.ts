/**
 * Records every statement that D1 receives in this isolate, from commands, queries, sweeps or objects, with
 * its cost and SQLite's query plan.
 */
import { testEnv } from "./client.ts";

/** A statement as D1 received it, with the values and row count of the call that read the most rows. */
export type RecordedStatement = {
  text: string;
  values: unknown[];
  /** The operations that sent the statement. */
  by: Set<string>;
  calls: number;
  /** Rows read by the call that read the most. */
  rowsRead: number;
  /** Total time of all calls, as SQLite reports it. */
  ms: number;
};

type Meta = { rows_read?: number; rows_written?: number; duration?: number };
type Session = {
  _send: (
    endpoint: string,
    query: string | string[],
    params: unknown[] | unknown[][],
    format: string,
  ) => Promise<{ meta?: Meta } | { meta?: Meta }[]>;
};

/** Every statement passes through D1's own session class, whatever the binding or method. */
const sessions = Object.getPrototypeOf(
  (testEnv.DB as unknown as { alwaysPrimarySession: Session }).alwaysPrimarySession,
) as Session;

/** Records the statements of a walk. */
export class Recorder {
  readonly statements = new Map<string, RecordedStatement>();
  /** Total of all statements. */
  readonly rows = { read: 0, written: 0 };
  #doing = "";
  readonly #send = sessions._send;

  /** Starts recording. */
  start(): void {
    const [send, note] = [this.#send, this.#note.bind(this)];
    sessions._send = async function (endpoint, query, params, format) {
      const result = await send.call(this, endpoint, query, params, format);
      const [texts, metas] = [[query].flat(), [result].flat()];
      const values = Array.isArray(query) ? (params as unknown[][]) : [params as unknown[]];
      for (const [i, text] of texts.entries()) note(text, values[i] ?? [], metas[i]?.meta ?? {});
      return result;
    };
  }

  stop(): void {
    sessions._send = this.#send;
  }

  /** Names the next operation. */
  setOperation(what: string): void {
    this.#doing = what;
  }

  #note(text: string, values: unknown[], meta: Meta): void {
    const { rows_read: rowsRead = 0, rows_written: rowsWritten = 0, duration = 0 } = meta;
    this.rows.read += rowsRead;
    this.rows.written += rowsWritten;
    let known = this.statements.get(text);
    if (!known) {
      known = { text, values, by: new Set(), calls: 0, rowsRead: -1, ms: 0 };
      this.statements.set(text, known);
    }
    known.by.add(this.#doing);
    known.calls += 1;
    known.ms += duration;
    if (rowsRead > known.rowsRead) Object.assign(known, { values, rowsRead });
  }
}

/** SQLite's plan for a statement, line by line, and the rows that it read under that plan. */
export type QueryPlan = { plan: string[]; rowsRead: number };

/**
 * Returns SQLite's current plan for a statement. Runs a read-only statement once more, so that its row count
 * matches this plan. A statement that writes keeps its recorded row count.
 */
export async function explain({ text, values, rowsRead }: RecordedStatement): Promise<QueryPlan> {
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .bind(...values)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  if (!/^\s*select/i.test(text)) return { plan, rowsRead };
  const { meta } = await testEnv.DB.prepare(text)
    .bind(...values)
    .all();
  return { plan, rowsRead: meta.rows_read };
}
