/** The exchange's tables: one in D1, the others in the Durable Object of each region. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { REGION_SLUGS } from "../../contract/regions.ts";

/** Regions that an operator paused. Requests wait as `pending`. */
export const pausedRegions = sqliteTable("paused_regions", {
  region: text({ enum: REGION_SLUGS }).primaryKey(),
  reason: text().notNull(),
  since: integer().notNull(),
});

/** Creates the Durable Object's tables. Only add to this schema: existing objects already have older tables. */
export function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- One row per lead, never deleted. A closed lead keeps ids, times and amounts, but no summary.
    CREATE TABLE IF NOT EXISTS listings (
      lead_id TEXT PRIMARY KEY,
      generation INTEGER NOT NULL,
      version INTEGER NOT NULL,
      state TEXT NOT NULL,
      price_cents INTEGER NOT NULL,
      listed_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      sale TEXT,
      departure TEXT,
      summary TEXT,
      created_at INTEGER,
      erased_at INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS listings_open
      ON listings (created_at, lead_id) WHERE state IN ('available', 'held', 'releasing');
    -- One row per lead with a current hold.
    CREATE TABLE IF NOT EXISTS holds (
      lead_id TEXT PRIMARY KEY,
      ends_at INTEGER NOT NULL,
      hold TEXT NOT NULL
    ) WITHOUT ROWID;
    -- The newest change by the customer of each open lead. A change that arrives late is ignored.
    CREATE TABLE IF NOT EXISTS revisions (
      lead_id TEXT PRIMARY KEY,
      revision INTEGER NOT NULL
    ) WITHOUT ROWID;
    -- One row per rescued lead. offer_ends_at: while the lead is offered to one business.
    CREATE TABLE IF NOT EXISTS rescues (
      lead_id TEXT PRIMARY KEY,
      offer_ends_at INTEGER,
      rescue TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS rescues_offered ON rescues (offer_ends_at) WHERE offer_ends_at IS NOT NULL;
    -- Businesses whose claims of a lead were refused within a minute of its sale. Kept for 30 days.
    CREATE TABLE IF NOT EXISTS runners_up (
      lead_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (lead_id, business_id)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS runners_up_at ON runners_up (at);
    -- Releases of the last hour.
    CREATE TABLE IF NOT EXISTS releases (
      business_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      lead_id TEXT NOT NULL,
      lapsed INTEGER NOT NULL,
      PRIMARY KEY (business_id, at, lead_id)
    ) WITHOUT ROWID;
    -- Old rows are deleted by age, for every business.
    CREATE INDEX IF NOT EXISTS releases_at ON releases (at);
    CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, change TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS outbox (
      lead_id TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      projection TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      queued_at INTEGER
    ) WITHOUT ROWID;
    -- Timers. The one alarm is set to the earliest.
    CREATE TABLE IF NOT EXISTS due (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (kind, key)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS due_at ON due (at);
  `);
}
