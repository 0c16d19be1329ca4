/**
 * Writes the migration that loads `data/nsw-suburbs.csv`. Run it by hand when the data changes:
 *   node scripts/make-suburb-migration.ts migrations/0002_load-nsw-suburbs.sql
 *
 * Rows that exist are left alone: an operator may have switched a suburb on or set its price.
 */
import { readFileSync, writeFileSync } from "node:fs";

const COLUMNS = "id, slug, name, postcode, council, region, sa4, latitude, longitude, population, is_active";

/** D1 refuses statements over 100 kB; 200 rows are about 32 kB. */
const ROWS_PER_STATEMENT = 200;

const [target] = process.argv.slice(2);
if (!target) throw new Error("Name the migration file to write.");

const [header, ...lines] = readFileSync(new URL("../data/nsw-suburbs.csv", import.meta.url), "utf8")
  .trim()
  .split(/\r?\n/);
const names = header!.split(",");
const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;

const rows = lines.map((line) => {
  const cells = line.split(",");
  if (cells.length !== names.length) throw new Error(`Unexpected number of cells: ${line}`);
  const row = Object.fromEntries(names.map((name, i) => [name, cells[i]!]));
  const text = [`sub_${row.slug}`, row.slug, row.name, row.postcode, row.council, row.region, row.sa4];
  const numbers = [row.latitude, row.longitude, row.population, row.launch];
  return `(${[...text.map((value) => quote(value!)), ...numbers].join(",")})`;
});

const statements: string[] = [];
for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
  const chunk = rows.slice(i, i + ROWS_PER_STATEMENT).join(",\n");
  statements.push(`INSERT INTO suburbs (${COLUMNS}) VALUES\n${chunk}\nON CONFLICT DO NOTHING;`);
}
writeFileSync(target, `${statements.join("\n")}\n`);
console.log(`${rows.length} suburbs in ${statements.length} statements -> ${target}`);
