/** A backup's file: SQL behind one line that says when it was made, how many rows it has, and its checksum. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { isAlive } from "../processes.ts";

/** How many rows each table has. */
export type Counts = Record<string, number>;

/** When a backup was made (epoch ms), how many rows each table had then, and its SQL. */
export type Backup = { takenAt: number; rows: Counts; sql: string };

/** A comment of SQL, so that SQLite reads the file as it is. */
const MARK = "-- naturestrip backup ";

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

/** The text of a backup's file. */
export function backupText({ takenAt, rows, sql }: Backup): string {
  const facts = JSON.stringify({ takenAt: new Date(takenAt).toISOString(), rows });
  return `${MARK}${checksum(facts + sql)} ${facts}\n${sql}`;
}

/** Reads a backup. @throws Error in words when the file is missing, no backup, or not whole */
export function readBackup(file: string): Backup {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const text = readFileSync(file, "utf8");
  if (!text.startsWith(MARK))
    throw new Error(
      `${file} is no backup: its first line has no checksum and no count of rows. Only files that \`npm run backup\` wrote are restored.`,
    );
  const lineEnd = text.indexOf("\n");
  const [sum, ...words] = text.slice(MARK.length, lineEnd).split(" ");
  const facts = words.join(" ");
  const sql = text.slice(lineEnd + 1);
  if (lineEnd < 0 || sum !== checksum(facts + sql))
    throw new Error(`${file} is cut off or was changed: its checksum does not fit. Use another backup.`);
  const { takenAt, rows } = JSON.parse(facts) as { takenAt: string; rows: Counts };
  return { takenAt: Date.parse(takenAt), rows, sql };
}

/** Names of files under way; earlier releases named them `replacing`. */
const WORKING = /\.(?:partial|replacing)-(\d+)\.sql$/;

/** Removes what killed runs left beside a backup: such files hold personal data. */
export function removeLeftovers(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = WORKING.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { force: true });
    console.log(`Removed ${name}, which a run that was cut off had left.`);
  }
}

/** Gives work a private file beside a backup, and removes it however the work ends. */
export async function withWorkingFile<T>(backup: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = dirname(backup);
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  const file = join(folder, `${basename(backup)}.partial-${process.pid}.sql`);
  // Only its owner may read it, from its first moment on.
  closeSync(openSync(file, "wx", 0o600));
  try {
    return await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}
