/**
 * `npm run restore:production -- --to=2026-11-21T03:00:00Z --remote` (or `--bookmark=… --since=…`, or
 * `--from=backups/name.sql`): takes the market back to an earlier D1, step by step: pause, restore, reproject,
 * compare, resume. Without any of these it goes on with what is under way; `--forget` gives that up. On this
 * machine, where D1 has no history, `--from=…` puts a backup in the place of what `npm start` has.
 */
import { asking } from "../command.ts";
import { operate } from "./d1.ts";
import { forgetRestore, RESTORE_OPTIONS, restoreProduction } from "./restore-run.ts";

await operate({ name: "restore:production", options: RESTORE_OPTIONS }, true, async (target, args) => {
  if (args.has("forget")) return forgetRestore(target);
  await restoreProduction(target, args, asking(args.has("yes")));
});
