/**
 * Opens this machine's D1 file directly, even while the runtime uses it. wrangler takes seconds to start, and
 * operator commands run several small queries. Production is only reachable through wrangler.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Row = Record<string, string | number | null>;

/** Where the local runtime stores databases in its state folder. Its own metadata file is there too. */
const FOLDER = "v3/d1/miniflare-D1DatabaseObject";
const METADATA_FILE = "metadata.sqlite";

/** Maximum wait while another process writes. */
const PATIENCE_MS = 5_000;

/**
 * Returns the only database in a state folder; null if there is none, or several, which only wrangler can
 * tell apart.
 */
export function databaseFile(state: string): string | null {
  const folder = join(state, FOLDER);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const databases = files.filter((name) => name.endsWith(".sqlite") && name !== METADATA_FILE);
  return databases.length === 1 ? join(folder, databases[0]!) : null;
}

/**
 * Runs statements in one transaction.
 *
 * @param statements each string is one statement
 * @returns the rows of each statement
 * @throws SQLite's error
 */
export function runOnFile(file: string, statements: readonly string[]): Row[][] {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec("BEGIN IMMEDIATE");
    const answers = statements.map((text) => {
      const statement = database.prepare(text);
      // SQLite would silently skip everything after the first statement.
      if (statement.sourceSQL.trim() !== text.trim()) throw new Error(`Only one statement per text: ${text}`);
      return statement.all().map((row) => ({ ...row }) as Row);
    });
    database.exec("COMMIT");
    return answers;
  } finally {
    // Closing rolls back an uncommitted transaction.
    database.close();
  }
}
