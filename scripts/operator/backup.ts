/** `npm run backup [-- --remote] [--output=backups/name.sql]`: exports D1, with its row counts. */
import { ROOT } from "../../testing/tools.ts";
import { backUp } from "./backup-d1.ts";
import { operate } from "./d1.ts";

await operate({ name: "backup", options: { output: "text" } }, false, async (target, args) => {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const where = target.isRemote ? "production" : "local";
  const file = args.option("output") ?? `${ROOT}backups/${where}-${stamp}.sql`;
  const counts = await backUp(target, file);
  for (const [table, count] of Object.entries(counts)) console.log(`  ${table}: ${count}`);
  console.log(`${file}\nIt holds people's names and numbers: keep it safe, and delete it after an erasure.`);
});
