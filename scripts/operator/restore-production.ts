/**
 * `npm run restore:production -- --to=2026-11-21T03:00:00Z --remote` (or `--bookmark=… --since=…`, or
 * `--from=backups/name.sql`): takes the market back to an earlier D1, step by step: pause, restore, reproject, compare,
 * resume. Without any of these it resumes an unfinished restore; `--forget` abandons that. On this machine D1 has no
 * history: there `--from=…` replaces the database of `npm start` with a backup.
 */
import { asking } from "../command.ts";
import { operate } from "./d1.ts";
import { forgetRestore, RESTORE_OPTIONS, restoreProduction } from "./restore-run.ts";

await operate({ name: "restore:production", options: RESTORE_OPTIONS }, true, async (target, args) => {
  if (args.has("forget")) return forgetRestore(target);
  await restoreProduction(target, args, asking(args.has("yes")));
});
