/**
 * `npm run suburbs:load -- data/nsw-suburbs.csv [--remote]`: adds suburbs and updates what the reference
 * says of them (name, postcode, council, region, place, population). What an operator decides (isActive,
 * priceFrom, texts, phone, hours) is never touched; a suburb that is new starts as the file's `launch` says. From a
 * file with all suburbs it also works out which lie around which, and how much their pages know.
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
    // Who lies next to whom is known only of a whole list.
    if ((await count()) === csv.trim().split("\n").length - 1) {
      writeFileSync(sqlFile, `${surroundingsStatements(csv).join("\n")}\n`);
      await runFile(target, sqlFile);
    } else console.log("The list holds only some of the suburbs: which lie around which stays as it was.");
  } finally {
    rmSync(sqlFile);
  }
  console.log(`${before} suburbs before, ${await count()} now. Pages in the cache follow within the hour.`);
});
