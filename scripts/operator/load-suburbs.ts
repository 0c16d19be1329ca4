/**
 * `npm run suburbs:load -- data/nsw-suburbs.csv [--remote]`: inserts suburbs and updates their reference data (name,
 * postcode, council, region, place, population). It never changes what an operator decides (isActive, priceFrom, texts,
 * phone, hours). A new suburb starts with the file's `launch` value. From a file with all suburbs it also computes
 * neighbours and the number of facts for each page.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { operate, query, runFile } from "./d1.ts";
import { surroundingsStatements } from "../neighbours.ts";
import { suburbStatements } from "../suburb-sql.ts";

await operate({ name: "suburbs:load", words: ["file"] }, true, async (target, { words: [file] }) => {
  if (!file) throw new Error("Name the file: npm run suburbs:load -- data/nsw-suburbs.csv");
  const csv = readFileSync(file, "utf8");
  const statements = suburbStatements(csv, "update");
  const count = async () => Number((await query(target, "SELECT count(*) AS n FROM suburbs"))[0]!.n);
  const before = await count();
  const sqlFile = join(tmpdir(), `suburbs-${process.pid}.sql`);
  writeFileSync(sqlFile, `${statements.join("\n")}\n`);
  try {
    await runFile(target, sqlFile);
    // Neighbours can only be computed from the full list.
    if ((await count()) === csv.trim().split("\n").length - 1) {
      writeFileSync(sqlFile, `${surroundingsStatements(csv).join("\n")}\n`);
      await runFile(target, sqlFile);
    } else console.log("The list holds only some of the suburbs: which lie around which stays as it was.");
  } finally {
    rmSync(sqlFile);
  }
  console.log(`${before} suburbs before, ${await count()} now. Pages in the cache follow within the hour.`);
});
