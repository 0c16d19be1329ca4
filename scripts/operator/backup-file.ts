/** A backup file: one header line with its date, row counts and checksum, then SQL. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Row counts by table. */
export type Counts = Record<string, number>;

/** When the backup was made (epoch ms), its row counts and its SQL. */
type Backup = { takenAt: number; rows: Counts; sql: string };

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
      `${file} is not a backup: its first line has no checksum or row counts. Restore only files from \`npm run operate -- backup\`.`,
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

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Writes a private file as a whole or not at all. An interrupted command leaves nothing behind, since the parts contain
 * personal data.
 *
 * @param makeText returns the file's text. It gets the path of a second file that it may use
 */
export async function writeWhole(
  file: string,
  makeText: (workingFile: string) => Promise<string>,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const folder = mkdtempSync(join(dirname(file), ".unfinished-"));
  const removeParts = () => rmSync(folder, { recursive: true, force: true });
  const stop = (signal: NodeJS.Signals) => {
    removeParts();
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const text = await makeText(join(folder, "dump.sql"));
    const whole = join(folder, "whole.sql");
    writeFileSync(whole, text, { mode: 0o600 });
    renameSync(whole, file);
  } finally {
    removeParts();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
