/** Writes a market's history directly into its database files. Years of history take a minute. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const EVENTS_KEPT = 1_000;

/** Returns the database in a runtime's state folder that contains this table. */
function databaseWith(table: string, persist: string): DatabaseSync {
  const files = readdirSync(persist, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((file) => file.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(persist, name));
    const found = database
      .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      .get(table);
    if (found) return database;
    database.close();
  }
  throw new Error(`No database with the table ${table}`);
}

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** Inserts sold leads into the exchange, and a full event log, as in any market after its first days. */
export function fillExchange(persist: string, soldLeads: number): void {
  const exchange = databaseWith("listings", persist);
  exchange.exec("BEGIN");
  exchange.exec(`
    ${numbers(EVENTS_KEPT)}
    INSERT OR IGNORE INTO events (seq, at, change)
    SELECT i, i, json_object('kind', 'gone', 'seq', i, 'leadId', 'lead_past', 'reason', 'sold') FROM n`);
  if (soldLeads > 0)
    exchange.exec(`
      ${numbers(soldLeads)}
      INSERT INTO listings (lead_id, generation, version, state, price_cents, listed_at, expires_at, sale, summary, created_at)
      SELECT 'lead_inner-west_' || lower(hex(randomblob(10))), 1, 3, 'sold', 5000, i, i + 1,
             json_object('purchaseId', 'pur_' || i, 'businessId', 'user_' || (i % 500), 'userId', 'user_' || (i % 500),
                         'mode', 'stripe', 'amountCents', 5000, 'soldAt', i), NULL, i
      FROM n`);
  exchange.exec("COMMIT");
  exchange.close();
}

/** Copies the one existing D1 lead into sold leads, and inserts a tenth as many payments. */
export function fillD1(persist: string, soldLeads: number): void {
  if (soldLeads === 0) return;
  const d1 = databaseWith("leads", persist);
  const columns = d1
    .prepare("SELECT name FROM pragma_table_info('leads')")
    .all()
    .map(({ name }) => String(name));
  const own: Record<string, string> = {
    id: "'lead_inner-west_' || lower(hex(randomblob(10)))",
    reference: "NULL",
    submission_id: "NULL",
    status: "'sold'",
    listing_state: "'closed'",
    exchange_version: "3",
    created_at: "i",
    expires_at: "i + 1",
    phone_key: "'+61' || i",
    email_key: "i || '@example.com'",
    street_key: "i || ' banksia street'",
  };
  d1.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
  d1.exec(`
    ${numbers(soldLeads)}, past AS (SELECT * FROM leads LIMIT 1)
    INSERT INTO leads (${columns.join(", ")})
    SELECT ${columns.map((column) => own[column] ?? `past.${column}`).join(", ")} FROM n, past`);
  d1.exec(`
    ${numbers(Math.floor(soldLeads / 10))}
    INSERT INTO payments (id, hold_id, lead_id, region, buyer_id, user_id, stripe_payment_intent_id, state,
                          amount_cents, created_at, updated_at)
    SELECT 'pay_past' || i, 'hold_past' || i, 'lead_past' || i, 'inner-west', 'user_' || (i % 500),
           'user_' || (i % 500), 'pi_past' || i, 'succeeded', 5000, i, i
    FROM n`);
  d1.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  d1.close();
}
