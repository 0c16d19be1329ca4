/**
 * Reorders a dump so that it can be restored. D1 exports tables in creation order, each with its rows. A row
 * that references a later table cannot be inserted.
 */

const LEADING_COMMENTS = /^(?:--[^\n]*(?:\n|$)\s*)+/;

/** Splits SQL into statements. Quotes, comments and trigger bodies may contain semicolons. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  // A quoted string or name, a comment, the end of a trigger, or a semicolon.
  const marks = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\bEND\s*;|;/gi;
  let start = 0;
  for (const { 0: mark, index } of sql.matchAll(marks)) {
    if (!mark.endsWith(";")) continue;
    const text = sql
      .slice(start, index + mark.length)
      .trim()
      .replace(LEADING_COMMENTS, "");
    const isOpenTrigger = /^CREATE\s+TRIGGER\b/i.test(text) && mark === ";";
    if (isOpenTrigger) continue;
    statements.push(text);
    start = index + mark.length;
  }
  const rest = sql.slice(start).trim().replace(LEADING_COMMENTS, "");
  return rest ? [...statements, rest] : statements;
}

const TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?["'`]?(\w+)/i;
const ROW = /^INSERT INTO ["'`]?(\w+)/i;

/**
 * Orders tables so that each comes after the tables it references.
 *
 * @param tables CREATE statements by table name
 */
function parentsFirst(tables: Map<string, string>): string[] {
  const ordered = new Set<string>();
  const visit = (name: string, path: readonly string[]) => {
    if (ordered.has(name) || path.includes(name)) return;
    for (const [, parent] of tables.get(name)?.matchAll(/REFERENCES ["'`]?(\w+)/gi) ?? [])
      visit(parent!, [...path, name]);
    ordered.add(name);
  };
  for (const name of tables.keys()) visit(name, []);
  return [...ordered];
}

/**
 * Reorders a dump so that it can be restored: all tables, then rows (referenced tables first), then
 * sequences, indexes and triggers.
 */
export function inRestorableOrder(sql: string): string {
  const statements = splitStatements(sql);
  const tables = new Map<string, string>();
  const rows = new Map<string, string[]>();
  const pragmas: string[] = [];
  const rest: string[] = [];
  for (const statement of statements) {
    const table = TABLE.exec(statement)?.[1];
    const row = ROW.exec(statement)?.[1];
    if (table) tables.set(table, statement);
    else if (row && row !== "sqlite_sequence") {
      const ofTable = rows.get(row) ?? [];
      ofTable.push(statement);
      rows.set(row, ofTable);
    } else if (/^PRAGMA/i.test(statement)) pragmas.push(statement);
    else rest.push(statement);
  }
  const order = parentsFirst(tables);
  const inOrder = order.flatMap((name) => rows.get(name) ?? []);
  return [...pragmas, ...tables.values(), ...inOrder, ...rest].join("\n").concat("\n");
}
