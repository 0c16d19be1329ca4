/** Commands that keep stored data up to date. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { computeNeighbourhoods } from "../neighbours.ts";
import { suburbStatements } from "../suburb-sql.ts";
import { query, runFile } from "./d1.ts";
import type { OperatorCommands } from "./command-types.ts";

export const UPKEEP = {
  "load-suburbs": {
    summary: "Inserts suburbs from a file and updates their reference data",
    more: "It never changes the columns that operators own (isActive, priceFrom, texts, phone, hours). A new suburb starts with the file's `launch` value. From a file with all suburbs it also computes neighbours and the number of facts for each page.",
    positionalArgs: ["file"],
    changes: true,
    work: async (target, { positionalArgs: [file] }) => {
      if (!file) throw new Error("Give the file: npm run operate -- load-suburbs data/nsw-suburbs.csv");
      const csv = readFileSync(file, "utf8");
      const slugs = async () =>
        (await query(target, "SELECT slug FROM suburbs")).map(({ slug }) => String(slug));
      const before = await slugs();
      const around = computeNeighbourhoods(csv);
      // Only the full list has every neighbour.
      const isComplete = before.every((slug) => around.has(slug));
      const sqlFile = join(tmpdir(), `suburbs-${process.pid}.sql`);
      writeFileSync(sqlFile, `${suburbStatements(csv, "update", isComplete ? around : null).join("\n")}\n`);
      try {
        await runFile(target, sqlFile);
      } finally {
        rmSync(sqlFile);
      }
      if (!isComplete)
        console.log("The list has only some of the suburbs, so their neighbours do not change.");
      console.log(
        `${before.length} suburbs before, ${(await slugs()).length} now. Cached pages update within an hour.`,
      );
    },
  },
} satisfies OperatorCommands;
