/** Generates the SQL that loads a suburb list. data/ATTRIBUTION.md names the list's source. */
import { placeKey } from "../contract/place-names.ts";
import { isRegion } from "../contract/regions.ts";
import type { Neighbourhood } from "./neighbours.ts";

/** Columns that a later list may update. Operators own the others. The slug is part of the page's URL. */
const REFERENCE = [
  "name",
  "name_key",
  "postcode",
  "council",
  "region",
  "latitude",
  "longitude",
  "population",
];

/** Columns computed from the full list. */
const SURROUNDINGS = ["near", "reference_facts"];

/** Columns that the file's header must have. */
const NEEDED = [
  "slug",
  "name",
  "postcode",
  "council",
  "region",
  "latitude",
  "longitude",
  "population",
  "launch",
];

/** D1 rejects statements over 100 kB. 200 rows are about 56 kB. */
const ROWS_PER_STATEMENT = 200;

const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;

function numberOf(text: string, line: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`"${text}" is not a number: ${line}`);
  return text;
}

function rowValues(row: Record<string, string>, line: string): string[] {
  if (!/^[a-z0-9-]{2,60}$/.test(row.slug!)) throw new Error(`"${row.slug}" is not a slug: ${line}`);
  if (!isRegion(row.region!)) throw new Error(`"${row.region}" is not a region: ${line}`);
  const text = [
    `sub_${row.slug}`,
    row.slug,
    row.name,
    placeKey(row.name!),
    row.postcode,
    row.council,
    row.region,
  ];
  const numbers = [row.latitude, row.longitude, row.population, row.launch].map((cell) =>
    numberOf(cell!, line),
  );
  return [...text.map((value) => quote(value!)), ...numbers];
}

/**
 * Turns a suburb list into SQL statements.
 *
 * @param csv with a header; cells must not contain commas
 * @param existing whether to skip existing suburbs or update their reference data
 * @param around the surroundings of each suburb, by slug; null leaves them unchanged
 * @throws Error that names the line it cannot parse
 */
export function suburbStatements(
  csv: string,
  existing: "keep" | "update",
  around: ReadonlyMap<string, Neighbourhood> | null,
): string[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const names = header.split(",");
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`The file lacks these columns: ${missing.join(", ")}`);
  const parsed = lines.map((line) => {
    const cells = line.split(",");
    if (cells.length !== names.length) throw new Error(`Unexpected number of cells: ${line}`);
    const row = Object.fromEntries(names.map((name, i) => [name, cells[i]!]));
    return { slug: row.slug!, values: rowValues(row, line) };
  });
  const rows = parsed.map(({ slug, values }) => {
    const own = around?.get(slug);
    return `(${(own ? [...values, quote(JSON.stringify(own.near)), own.facts] : values).join(",")})`;
  });
  const computed = around ? SURROUNDINGS : [];
  const columns = ["id", "slug", ...REFERENCE, "is_active", ...computed].join(", ");
  const onConflict =
    existing === "keep"
      ? "ON CONFLICT DO NOTHING"
      : `ON CONFLICT (id) DO UPDATE SET ${[...REFERENCE, ...computed].map((name) => `${name} = excluded.${name}`).join(", ")}`;
  const statements: string[] = [];
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
    const chunk = rows.slice(i, i + ROWS_PER_STATEMENT).join(",\n");
    statements.push(`INSERT INTO suburbs (${columns}) VALUES\n${chunk}\n${onConflict};`);
  }
  return statements;
}
