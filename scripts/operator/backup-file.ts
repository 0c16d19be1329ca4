/** A backup file: one header line with its date, row counts and checksum, then SQL. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { isAlive } from "../processes.ts";

/** Row counts by table. */
export type Counts = Record<string, number>;

/** When the backup was made (epoch ms), its row counts and its SQL. */
export type Backup = { takenAt: number; rows: Counts; sql: string };

/** An SQL comment, so that SQLite can run the file unchanged. */
const HEADER_PREFIX = "-- naturestrip backup ";

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

/** Formats a backup file. */
export function backupText({ takenAt, rows, sql }: Backup): string {
  const facts = JSON.stringify({ takenAt: new Date(takenAt).toISOString(), rows });
  return `${HEADER_PREFIX}${checksum(facts + sql)} ${facts}\n${sql}`;
}

/** Reads a backup. @throws Error in one sentence if the file is missing, incomplete or not a backup */
export function readBackup(file: string): Backup {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const text = readFileSync(file, "utf8");
  if (!text.startsWith(HEADER_PREFIX))
    throw new Error(
      `${file} is not a backup: its first line has no checksum or row counts. Only files from \`npm run operate -- backup\` can be restored.`,
    );
  const lineEnd = text.indexOf("\n");
  const [sum, ...words] = text.slice(HEADER_PREFIX.length, lineEnd).split(" ");
  const facts = words.join(" ");
  const sql = text.slice(lineEnd + 1);
  if (lineEnd < 0 || sum !== checksum(facts + sql))
    throw new Error(`${file} is truncated or was changed: its checksum does not match. Use another backup.`);
  const { takenAt, rows } = JSON.parse(facts) as { takenAt: string; rows: Counts };
  return { takenAt: Date.parse(takenAt), rows, sql };
}

/** Matches the names of unfinished files. */
const WORKING = /\.partial-(\d+)\.sql$/;

/** Deletes the files that killed runs left beside a backup, since they contain personal data. */
export function removeLeftovers(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = WORKING.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { force: true });
    console.log(`Deleted ${name}, which an interrupted run left behind.`);
  }
}

/** Passes `work` a private file beside a backup. Deletes it afterwards, even after an error. */
export async function withWorkingFile<T>(backup: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = dirname(backup);
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  const file = join(folder, `${basename(backup)}.partial-${process.pid}.sql`);
  // Create it readable only by its owner, so that it is never exposed.
  closeSync(openSync(file, "wx", 0o600));
  try {
    return await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}
