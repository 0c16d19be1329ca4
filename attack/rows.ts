/** Reads the rows of D1 and the objects directly from their files while the product is running. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The state of all tables: the rows as JSON. */
type Snapshot = ReadonlyMap<string, ReadonlySet<string>>;

/** Tables of SQLite and the runtime, and suburbs, which no caller can write. */
const PLATFORM_TABLES = /^(sqlite_|_cf_|_mf_|d1_migrations|suburbs)/;

/** Maximum wait for a file that the product has locked, such as while it starts a new log. */
const BUSY_MS = 10_000;

type Database = { file: string; connection: DatabaseSync; version: unknown; tables: Snapshot };

const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

function readTables(connection: DatabaseSync): Snapshot {
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Map(
    tables
      .map(({ name }) => String(name))
      .filter((name) => !PLATFORM_TABLES.test(name))
      .map((name) => {
        const query = connection.prepare(`SELECT * FROM "${name}"`);
        query.setReadBigInts(true);
        return [name, new Set(query.all().map((row) => JSON.stringify(row, asText)))];
      }),
  );
}

export class Rows {
  readonly #folder: string;
  readonly #databases = new Map<string, Database>();

  /** @param folder the folder with the product's state */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the current rows by file and table. Rereads only databases that have changed. */
  read(): Map<string, ReadonlySet<string>> {
    const rows = new Map<string, ReadonlySet<string>>();
    for (const { file, tables } of this.#current())
      for (const [table, lines] of tables) rows.set(`${file} ${table}`, lines);
    return rows;
  }

  #current(): Database[] {
    const files = readdirSync(this.#folder, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => /^(d1|do)\b.*\.sqlite$/.test(file) && !file.endsWith("metadata.sqlite"))
      .map((file) => {
        const known = this.#databases.get(file);
        const connection =
          known?.connection ??
          new DatabaseSync(join(this.#folder, file), { readOnly: true, timeout: BUSY_MS });
        const version = connection.prepare("PRAGMA data_version").get()!.data_version;
        if (known && known.version === version) return known;
        const current = { file, connection, version, tables: readTables(connection) };
        this.#databases.set(file, current);
        return current;
      });
  }

  close(): void {
    for (const { connection } of this.#databases.values()) connection.close();
    this.#databases.clear();
  }
}

/** Lists the rows that only one of the snapshots contains, each preceded by its table's name. */
export function changedRows(before: Snapshot, after: Snapshot): string[] {
  const missing = (from: Snapshot, other: Snapshot) =>
    [...from].flatMap(([table, lines]) =>
      [...lines]
        .filter((line) => !other.get(table)?.has(line))
        .map((line) => `${table.slice(table.lastIndexOf(" ") + 1)} ${line}`),
    );
  return [...new Set([...missing(before, after), ...missing(after, before)])];
}
