/** Commands that back up and restore D1. */
import { ROOT } from "../../testing/tools.ts";
import { confirmStep } from "../command.ts";
import { RESTORE_OPTIONS } from "./restore-plan.ts";
import type { OperatorCommands } from "./command-types.ts";

// These files load the whole schema. No other command should wait for that.
const importBackup = () => import("./backup-d1.ts");
const importRestore = () => import("./restore-run.ts");

export const BACKUPS = {
  backup: {
    summary: "Exports D1 to a file, with its row counts",
    options: {
      output: ["text", "the file, such as backups/name.sql"],
    },
    changes: false,
    work: async (target, args) => {
      const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
      const where = target.isRemote ? "production" : "local";
      const file = args.option("output") ?? `${ROOT}backups/${where}-${stamp}.sql`;
      const { backUp } = await importBackup();
      const counts = await backUp(target, file);
      for (const [table, count] of Object.entries(counts)) console.log(`  ${table}: ${count}`);
      console.log(
        `${file}\nIt contains people's names and numbers: store it safely, and delete it after an erasure.`,
      );
    },
  },
  restore: {
    summary: "Fills an empty database from a backup and compares the row counts",
    more: "Run `npm run operate -- reproject` afterwards to add later sales.",
    positionalArgs: ["file"],
    changes: true,
    work: async (target, { positionalArgs: [file] }) => {
      if (!file) throw new Error("Name the backup: npm run operate -- restore backups/name.sql");
      const { restore } = await importBackup();
      const found = await restore(target, file);
      if (found.length > 0) throw new Error(`Restored, but not all of it:\n  ${found.join("\n  ")}`);
      console.log("Restored. Every table has as many rows as when the backup was made.");
    },
  },
  "restore-production": {
    summary: "Restores the market to an earlier state of D1, step by step",
    more: "The steps are: pause, restore, reproject, compare, resume. Without options it resumes an unfinished restore. Locally D1 has no history: `--from` replaces the database of `npm start` with a backup.",
    options: RESTORE_OPTIONS,
    changes: true,
    work: async (target, args) => {
      const { forgetRestore, restoreProduction } = await importRestore();
      if (args.hasFlag("forget")) return forgetRestore(target);
      await restoreProduction(target, args, confirmStep(args.hasFlag("yes")));
    },
  },
} satisfies OperatorCommands;
