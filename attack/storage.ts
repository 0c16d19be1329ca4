/** Searches the files of D1, the objects and the bucket for traces of erased people. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { AttackContext } from "./walk.ts";
import { ERASED, PLANTED } from "./people.ts";
import { normalise } from "./traces.ts";

type SearchResult = {
  bytes: number;
  /** Traces that remain in the raw files: pages that SQLite has freed, and its write-ahead log. */
  inFreedPages: number;
};

/** Returns a vacuumed copy of a database: its tables and indexes without freed pages. */
function readVacuumed(file: string): string {
  const copy = `${file}.rewritten`;
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  const content = readFileSync(copy, "latin1");
  rmSync(copy);
  return content;
}

/**
 * Searches every database and every file of the bucket. A trace in a table, an index or a file is a finding. Traces in
 * freed pages and logs are only counted: SQLite overwrites them later, and D1 has no command to do it sooner.
 */
export function searchFiles({ target, judge }: AttackContext): SearchResult {
  const traces = PLANTED.slice(0, ERASED.length).flatMap((one) => one.traces);
  const searched: SearchResult = { bytes: 0, inFreedPages: 0 };
  const files = readdirSync(target.folder, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((one) => /\.sqlite(-wal|-shm)?$/.test(one))) {
    const content = readFileSync(join(target.folder, name), "latin1");
    searched.bytes += content.length;
    const rawText = normalise(content);
    searched.inFreedPages += traces.filter((trace) => rawText.includes(trace)).length;
  }
  for (const name of files.filter((one) => /\.sqlite$|\/blobs\/\w/.test(one))) {
    const file = join(target.folder, name);
    const held = normalise(name.endsWith(".sqlite") ? readVacuumed(file) : readFileSync(file, "latin1"));
    for (const trace of traces.filter((one) => held.includes(one))) {
      const where = name.replaceAll(/[0-9a-f]{20,}/g, "…");
      judge.add({ kind: "storage", where, what: `"${trace}" is still stored` });
    }
  }
  return searched;
}
