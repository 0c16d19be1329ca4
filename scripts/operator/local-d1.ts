/**
 * This machine's D1 by its file, beside whatever serves from it: wrangler takes seconds to begin, and operators'
 * commands ask several small things. Production is only reached through wrangler.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Row = Record<string, string | number | null>;

/** Where the local runtime keeps databases, below its state, beside a file of its own notes. */
const FOLDER = "v3/d1/miniflare-D1DatabaseObject";
const NOTES = "metadata.sqlite";

/** So long another process may be writing. */
const PATIENCE_MS = 5_000;

/** The one database below a state folder; null when there is none, or several and only wrangler knows which. */
export function databaseFile(state: string): string | null {
  const folder = join(state, FOLDER);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const databases = files.filter((name) => name.endsWith(".sqlite") && name !== NOTES);
  return databases.length === 1 ? join(folder, databases[0]!) : null;
}

/**
 * Carries out statements together, or none of them.
 * @param statements one statement each
 * @returns the rows of each
 * @throws SQLite's error
 */
export function runOnFile(file: string, statements: readonly string[]): Row[][] {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec("BEGIN IMMEDIATE");
    const answers = statements.map((text) => {
      const statement = database.prepare(text);
      // SQLite would pass over what follows the first.
      if (statement.sourceSQL.trim() !== text.trim()) throw new Error(`One statement at a time: ${text}`);
      return statement.all().map((row) => ({ ...row }) as Row);
    });
    database.exec("COMMIT");
    return answers;
  } finally {
    // What was not committed is undone.
    database.close();
  }
}
