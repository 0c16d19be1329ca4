/**
 * `npm run operate -- drill rollback`: applies the next release's migration, then rolls its code back. This
 * release must still work with the migrated database. The rules for migrations exist for this reason.
 */

import { startProduct } from "../../testing/product/product.ts";
import { requestQuote, buy, moveStage, newBuyer, purchaseOf } from "./market-day.ts";

/** The tables a sale writes to. */
const BUSY_TABLES = [
  "users",
  "leads",
  "lead_purchases",
  "stage_changes",
  "payments",
  "audit_log",
  "sessions",
];

/** A typical migration from the next release: it only adds. */
const NEXT_MIGRATION = [
  "CREATE TABLE `next_things` (`id` text PRIMARY KEY NOT NULL, `lead_id` text NOT NULL REFERENCES `leads`(`id`))",
  ...BUSY_TABLES.flatMap((table) => [
    `ALTER TABLE \`${table}\` ADD \`next_note\` text`,
    `ALTER TABLE \`${table}\` ADD \`next_count\` integer DEFAULT 0 NOT NULL`,
    `CREATE INDEX \`${table}_next\` ON \`${table}\` (\`next_count\`)`,
  ]),
];

/** Data that the next release wrote before it was rolled back. */
const NEXT_WRITES = BUSY_TABLES.filter((table) => table !== "audit_log").map(
  (table) => `UPDATE \`${table}\` SET next_note = 'of the next release', next_count = 3`,
);

/** Trades, migrates, writes as the next release would, then trades again with this release. */
export async function drillRollback() {
  const product = await startProduct({}, null);
  try {
    const { d1: DB } = product;
    const buyer = await newBuyer(product);
    const before = await buy(product, buyer, await requestQuote(product));
    const waiting = await requestQuote(product);

    await DB.batch(NEXT_MIGRATION.map((sql) => DB.prepare(sql)));
    await DB.batch(NEXT_WRITES.map((sql) => DB.prepare(sql)));

    const after = await buy(product, buyer, waiting);
    await moveStage(buyer, before!.id);
    const fresh = await buy(product, await newBuyer(product), await requestQuote(product));
    await product.runSchedule();
    const health = await fetch(`${product.url}/api/health`);
    const pipeline = (await (await buyer.call("GET", "/api/my-purchased-leads")).json()) as { id: string }[];
    return {
      before: before!,
      after: after!,
      fresh: fresh!,
      moved: (await purchaseOf(product, before!.leadId))!,
      pipeline: pipeline.map(({ id }) => id),
      healthStatus: health.status,
      newColumn: await DB.prepare("SELECT next_count FROM lead_purchases WHERE id = ?")
        .bind(fresh!.id)
        .first("next_count"),
    };
  } finally {
    await product.stop();
  }
}

/** Runs the drill for an operator and prints the results. */
export async function reportRollback(): Promise<void> {
  const { pipeline, healthStatus, moved } = await drillRollback();
  console.log(
    `Sold before and after the migration: ${pipeline.length}; health ${healthStatus}; stage ${moved.salesStage}`,
  );
}
