/**
 * `npm run restore -- backups/name.sql [--remote]`: builds an empty database from a backup and compares
 * the counts. Follow it with `npm run exchange:reproject`, which brings what was sold since.
 */
import { restore } from "./backup-d1.ts";
import { main, targetOf } from "./d1.ts";

await main(async () => {
  const file = process.argv.slice(2).find((arg) => !arg.startsWith("--"));
  if (!file) throw new Error("Name the backup: npm run restore -- backups/name.sql");
  const found = await restore(targetOf(), file);
  if (found.length > 0) throw new Error(`Restored, but not all of it:\n  ${found.join("\n  ")}`);
  console.log("Restored. Every table has as many rows as when the backup was made.");
});
