/**
 * `npm run drill:backup`: a database with a market's traces is backed up, wiped and restored, on this
 * machine. Then every table is counted and one purchase compared field by field.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { getPlatformProxy } from "wrangler";

import { fillDemoWorld } from "../../worker/testing/demo.ts";
import { ROOT, run } from "../local.ts";
import { backUp, type Counts, restore } from "../operator/backup-d1.ts";
import { query, type Row, type Target } from "../operator/d1.ts";

/** A place of its own, so that a drill never touches the local world. */
function newPlace(): { folder: string; target: Target } {
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
  return { folder, target: { isRemote: false, config } };
}

async function fill(folder: string, target: Target): Promise<void> {
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--config", target.config]);
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath: target.config,
    persist: { path: join(folder, ".wrangler/state/v3") },
  });
  await fillDemoWorld(proxy.env.DB, Date.now());
  await proxy.dispose();
}

const onePurchase = "SELECT * FROM lead_purchases WHERE sales_notes IS NOT NULL ORDER BY id LIMIT 1";
const triggers = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY name";

/** What the drill found. `lost` is empty when the restored database has every row. */
export type Findings = {
  counts: Counts;
  lost: string[];
  purchase: { before: Row; after: Row };
  /** Indexes and triggers, which keep the promises no code keeps. */
  guards: { before: Row[]; after: Row[] };
};

/** Backs up, wipes and restores. */
export async function drillBackup(): Promise<Findings> {
  const { folder, target } = newPlace();
  try {
    await fill(folder, target);
    const file = join(folder, "backups/drill.sql");
    const counts = await backUp(target, file);
    const [before] = await query(target, onePurchase);
    const guardsBefore = await query(target, triggers);
    rmSync(join(folder, ".wrangler"), { recursive: true });
    const lost = await restore(target, file);
    const [after] = await query(target, onePurchase);
    const guards = { before: guardsBefore, after: await query(target, triggers) };
    return { counts, lost, purchase: { before: before!, after: after! }, guards };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const { counts, lost, purchase, guards } = await drillBackup();
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${Object.keys(counts).length} tables, ${rows} rows, ${guards.after.length} indexes and triggers`);
  const isSame =
    JSON.stringify(purchase.before) === JSON.stringify(purchase.after) &&
    JSON.stringify(guards.before) === JSON.stringify(guards.after);
  console.log(isSame ? "The purchase is the same, field by field." : purchase);
  if (lost.length > 0 || !isSame) {
    console.error(lost.join("\n"));
    process.exitCode = 1;
  }
}
