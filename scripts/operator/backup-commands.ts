/** The command that backs up D1. Restoring needs only wrangler: docs/operations.md has the commands. */
import { ROOT } from "../../testing/tools.ts";
import { readBackup } from "./backup-file.ts";
import type { OperatorCommands } from "./command-types.ts";

export const BACKUP = {
  backup: {
    summary: "Exports D1 to a file, with its row counts, or checks such a file",
    options: {
      output: ["text", "the file, such as backups/name.sql"],
      check: ["text", "an existing backup, to check before you restore it"],
    },
    changes: false,
    work: async (target, args) => {
      const checked = args.option("check");
      if (checked !== null) {
        const { takenAt, rows } = readBackup(checked);
        const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
        return console.log(
          `${checked} is complete: ${total} rows, taken at ${new Date(takenAt).toISOString()}.`,
        );
      }
      const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
      const where = target.isRemote ? "production" : "local";
      const file = args.option("output") ?? `${ROOT}backups/${where}-${stamp}.sql`;
      // Loads the whole schema, which no other command should wait for.
      const { backUp } = await import("./backup-d1.ts");
      const counts = await backUp(target, file);
      for (const [table, count] of Object.entries(counts)) console.log(`  ${table}: ${count}`);
      console.log(
        `${file}\nIt contains people's names and numbers: store it safely, and delete it after an erasure.`,
      );
    },
  },
} satisfies OperatorCommands;
