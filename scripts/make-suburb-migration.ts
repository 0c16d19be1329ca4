/**
 * Writes the migration that loads `data/nsw-suburbs.csv`. Run it by hand if new environments should start
 * with other data. A running environment loads a new list with `npm run operate -- load-suburbs`.
 *
 * npx node scripts/make-suburb-migration.ts migrations/0003_load-nsw-suburbs.sql
 *
 * The migration does not change existing rows: an operator may have enabled a suburb or set its price.
 */
import { readFileSync, writeFileSync } from "node:fs";

import { computeNeighbourhoods } from "./neighbours.ts";
import { suburbStatements } from "./suburb-sql.ts";

const target = process.argv[2];
if (!target) throw new Error("Give the path of the migration file to write.");
const csv = readFileSync(new URL("../data/nsw-suburbs.csv", import.meta.url), "utf8");
const statements = suburbStatements(csv, "keep", computeNeighbourhoods(csv));
writeFileSync(
  target,
  `-- From data/nsw-suburbs.csv, by scripts/make-suburb-migration.ts.\n${statements.join("\n")}\n`,
);
console.log(`${statements.length} statements -> ${target}`);
