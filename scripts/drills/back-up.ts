/**
 * `npm run operate -- drill backup`: backs up, wipes and restores a database with market data on this
 * machine. Then it counts every table's rows and compares one purchase field by field.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { getPlatformProxy } from "wrangler";

import { fillDemoWorld } from "../../testing/demo.ts";
import { ROOT } from "../../testing/tools.ts";
import { database } from "../../worker/platform/db/client.ts";
import { backUp, restore } from "../operator/backup-d1.ts";
import type { Counts } from "../operator/backup-file.ts";
import type { Row, Target } from "../operator/d1.ts";
import { splitStatements } from "../operator/dump-order.ts";

/** Creates a separate state folder, so that a drill never touches the local world. */
function makeTarget(): { folder: string; target: Target } {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-drill-"));
  const config = join(folder, "wrangler.toml");
  const lines = [
    'name = "naturestrip-drill"',
    'compatibility_date = "2026-10-01"',
    "[[d1_databases]]",
    'binding = "DB"',
    'database_name = "naturestrip"',
    `migrations_dir = "${join(ROOT, "migrations")}"`,
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  mkdirSync(join(folder, "backups"));
  return { folder, target: { isRemote: false, port: null, config } };
}

/** Opens the local database without wrangler. */
async function inDatabase<T>(
  folder: string,
  target: Target,
  read: (db: D1Database) => Promise<T>,
): Promise<T> {
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath: target.config,
    persist: { path: join(folder, ".wrangler/state/v3") },
  });
  try {
    return await read(proxy.env.DB);
  } finally {
    await proxy.dispose();
  }
}

async function fill(db: D1Database): Promise<void> {
  const names = readdirSync(join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
  await db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
  for (const name of names.toSorted()) {
    const statements = splitStatements(readFileSync(join(ROOT, "migrations", name), "utf8"));
    await db.batch(statements.map((statement) => db.prepare(statement)));
    await db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name).run();
  }
  await fillDemoWorld({ db: database(db), addDrawing: async () => {}, now: Date.now() });
}

/** Returns one purchase, plus the indexes and triggers, which enforce constraints that the code does not. */
async function sample(db: D1Database): Promise<{ purchase: Row; guards: Row[] }> {
  const [purchase, guards] = await db.batch<Row>([db.prepare(ONE_PURCHASE), db.prepare(GUARDS)]);
  return { purchase: purchase!.results[0]!, guards: guards!.results };
}

const ONE_PURCHASE = "SELECT * FROM lead_purchases WHERE sales_notes IS NOT NULL ORDER BY id LIMIT 1";
const GUARDS =
  "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY name";

type Sample = Awaited<ReturnType<typeof sample>>;

/** The drill's results. `lost` is empty if every row was restored. */
export type Findings = {
  counts: Counts;
  /** The error for each damaged copy. */
  refused: string[];
  lost: string[];
  /** Files left beside the backup at the end. */
  names: string[];
  before: Sample;
  after: Sample;
};

/** Returns the ID of a process that has ended. */
const findEndedPid = () => spawnSync("true").pid;

/** Tries to restore damaged copies, such as a truncated backup, beside the files of a killed restore. */
async function restoreDamaged(target: Target, file: string): Promise<string[]> {
  const whole = readFileSync(file, "utf8");
  const statements = whole.split("\n");
  const damaged = {
    cut: whole.slice(0, whole.length * 0.6),
    // Truncated between two statements: SQLite alone would accept it.
    shorter: `${statements.slice(0, -20).join("\n")}\n`,
    firstLineLost: statements.slice(1).join("\n"),
    changed: whole.replace("0491", "0492"),
  };
  writeFileSync(`${file}.partial-${findEndedPid()}.sql`, whole);
  const refused: string[] = [];
  for (const [name, text] of Object.entries(damaged)) {
    const copy = join(target.config, `../${name}.sql`);
    writeFileSync(copy, text);
    const attempt = restore(target, copy).then(
      () => "restored",
      (error: Error) => error.message,
    );
    refused.push((await attempt).replace(copy, name));
  }
  return refused;
}

export async function drillBackup(): Promise<Findings> {
  const { folder, target } = makeTarget();
  try {
    const before = await inDatabase(folder, target, async (db) => {
      await fill(db);
      return sample(db);
    });
    const file = join(folder, "backups/drill.sql");
    const counts = await backUp(target, file);
    const refused = await restoreDamaged(target, file);
    rmSync(join(folder, ".wrangler"), { recursive: true });
    const lost = await restore(target, file);
    const names = readdirSync(join(folder, "backups")).toSorted();
    return { counts, refused, lost, names, before, after: await inDatabase(folder, target, sample) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the drill for an operator and prints the results. */
export async function reportBackup(): Promise<void> {
  const { counts, lost, before, after } = await drillBackup();
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(
    `${Object.keys(counts).length} tables, ${rows} rows, ${after.guards.length} indexes and triggers`,
  );
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  console.log(isSame ? "The purchase is the same, field by field." : { before, after });
  if (lost.length > 0 || !isSame) {
    console.error(lost.join("\n"));
    process.exitCode = 1;
  }
}
