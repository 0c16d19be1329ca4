/**
 * Every statement that D1 gets in this isolate, whoever sends it (commands, queries, sweeps, objects), with
 * what it cost; and how SQLite means to carry it out.
 */
import { testEnv } from "./client.ts";

/** A statement as D1 got it, with the values and the cost of the call that read most. */
export type Recorded = {
  text: string;
  values: unknown[];
  /** What was going on. */
  by: Set<string>;
  calls: number;
  /** Of the call that read most. */
  rowsRead: number;
  /** Of all calls together, as SQLite says. */
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

/** D1's own session is where every statement passes, whichever way and from whichever binding. */
const sessions = Object.getPrototypeOf(
  (testEnv.DB as unknown as { alwaysPrimarySession: Session }).alwaysPrimarySession,
) as Session;

/** What D1 was sent while a walk was going on. */
export class Recorder {
  readonly statements = new Map<string, Recorded>();
  /** Of all statements together. */
  readonly rows = { read: 0, written: 0 };
  #doing = "";
  readonly #send = sessions._send;

  /** From here on everything is written down. */
  start(): void {
    const [send, note] = [this.#send, this.#note.bind(this)];
    sessions._send = async function (endpoint, query, params, format) {
      const answer = await send.call(this, endpoint, query, params, format);
      const [texts, metas] = [[query].flat(), [answer].flat()];
      const values = Array.isArray(query) ? (params as unknown[][]) : [params as unknown[]];
      for (const [i, text] of texts.entries()) note(text, values[i] ?? [], metas[i]?.meta ?? {});
      return answer;
    };
  }

  stop(): void {
    sessions._send = this.#send;
  }

  /** Names what comes next. */
  doing(what: string): void {
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

/** How SQLite means to carry a statement out, line by line, and the rows that it read when it was. */
export type Explained = { plan: string[]; rowsRead: number };

/**
 * SQLite's plan for a statement as it is now. What only reads is carried out once more, so that its rows are
 * those of this plan; what writes has those of the walk.
 */
export async function explain({ text, values, rowsRead }: Recorded): Promise<Explained> {
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
