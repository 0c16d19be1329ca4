/** Commands that keep stored data up to date. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import { computeNeighbourhoods } from "../neighbours.ts";
import { suburbStatements } from "../suburb-sql.ts";
import { query, runFile } from "./d1.ts";
import { runJob } from "./job.ts";
import type { OperatorCommands } from "./command-types.ts";

export const UPKEEP = {
  "check-data": {
    summary: "Lists stored values that the contract does not list, as the nightly run does",
    changes: false,
    work: (target) => runJob(target, { kind: "check_data", input: {} }),
  },
  "recount-figures": {
    summary: "Counts the market's figures again for each day in Sydney",
    more: "Run it after a restore, or after a change to how figures are counted.",
    options: {
      since: ["text", "the first day, such as 2026-11-01; by default the day of the first lead"],
    },
    changes: true,
    work: async (target, args) => {
      const since = args.option("since");
      const start = since === null ? 0 : startOfSydneyDay(since);
      if (start === null)
        throw new Error("Give the first day to count: --since=2026-11-01, or omit it to count every day.");
      if (start > Date.now()) throw new Error(`--since=${since} is in the future.`);
      await runJob(target, { kind: "recount_figures", input: { since } });
    },
  },
  "rotate-keys": {
    summary: "Encrypts all bank details again with the first key of BANK_DETAILS_KEYS",
    more: "First put the new key before the old ones; docs/operations.md has the commands.",
    changes: true,
    work: async (target) => {
      await runJob(target, { kind: "reseal_bank_details", input: {} });
      const rows = await query(
        target,
        "SELECT key_id, count(*) AS n FROM bank_details GROUP BY key_id ORDER BY key_id",
      );
      for (const { key_id, n } of rows) console.log(`  under key ${key_id}: ${n}`);
      console.log("Once every row uses the new key, you may remove the old one.");
    },
  },
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
