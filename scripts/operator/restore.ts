/**
 * `npm run restore -- backups/name.sql [--remote]`: builds an empty database from a backup and compares the row counts.
 * Run `npm run exchange:reproject` afterwards to add later sales.
 */
import { restore } from "./backup-d1.ts";
import { operate } from "./d1.ts";

await operate({ name: "restore", words: ["file"] }, true, async (target, { words: [file] }) => {
  if (!file) throw new Error("Name the backup: npm run restore -- backups/name.sql");
  const found = await restore(target, file);
  if (found.length > 0) throw new Error(`Restored, but not all of it:\n  ${found.join("\n  ")}`);
  console.log("Restored. Every table has as many rows as when the backup was made.");
});
