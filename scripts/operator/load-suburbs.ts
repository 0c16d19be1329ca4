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
import { surroundings } from "../neighbours.ts";
import { suburbStatements } from "../suburb-sql.ts";

await operate({ name: "suburbs:load", words: ["file"] }, true, async (target, { words: [file] }) => {
  if (!file) throw new Error("Name the file: npm run suburbs:load -- data/nsw-suburbs.csv");
  const csv = readFileSync(file, "utf8");
  const slugs = async () => (await query(target, "SELECT slug FROM suburbs")).map(({ slug }) => String(slug));
  const before = await slugs();
  const around = surroundings(csv);
  // Neighbours can only be computed from the full list.
  const isFull = before.every((slug) => around.has(slug));
  const sqlFile = join(tmpdir(), `suburbs-${process.pid}.sql`);
  writeFileSync(sqlFile, `${suburbStatements(csv, "update", isFull ? around : null).join("\n")}\n`);
  try {
    await runFile(target, sqlFile);
  } finally {
    rmSync(sqlFile);
  }
  if (!isFull)
    console.log("The list holds only some of the suburbs: which lie around which stays as it was.");
  console.log(
    `${before.length} suburbs before, ${(await slugs()).length} now. Pages in the cache follow within the hour.`,
  );
});
