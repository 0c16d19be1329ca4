import type { MarketChange } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { Projection } from "../exchange/commands.ts";
import type { Listing, Sale } from "../exchange/rules.ts";

/** Changes a reconnecting browser can catch up on; beyond that it gets a snapshot. */
export const EVENTS_KEPT = 1000;

/** Creates the object's tables. Only ever add to this: old objects wake up with old tables. */
export function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- One row per lead for ever. A closed lead keeps ids, times and amounts, but no summary.
    CREATE TABLE IF NOT EXISTS listings (
      lead_id TEXT PRIMARY KEY,
      generation INTEGER NOT NULL,
      version INTEGER NOT NULL,
      state TEXT NOT NULL,
      price_cents INTEGER NOT NULL,
      listed_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      sale TEXT,
      summary TEXT,
      created_at INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS listings_available
      ON listings (created_at, lead_id) WHERE state = 'available';
    CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, change TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS outbox (
      lead_id TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      projection TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    -- Everything that has to happen later; the one alarm is set to the earliest row.
    CREATE TABLE IF NOT EXISTS due (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (kind, key)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS due_at ON due (at);
  `);
}

type DueKind = "expire" | "renew" | "project";

type ListingRow = {
  lead_id: string;
  generation: number;
  version: number;
  state: string;
  price_cents: number;
  listed_at: number;
  expires_at: number;
  sale: string | null;
};

/** The exchange's SQL, synchronous throughout. */
export class ExchangeStore {
  readonly #sql: SqlStorage;
  #head: { epoch: string; seq: number };

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // The epoch names this history; a wiped object starts another one and browsers take a snapshot.
    sql.exec("INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', ?)", crypto.randomUUID().slice(0, 8));
    const epoch = sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'epoch'").one().value;
    const seq = sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM events").one().seq ?? 0;
    this.#head = { epoch, seq };
  }

  /** The newest place in this region's history. */
  head(): { epoch: string; seq: number } {
    return this.#head;
  }

  load(leadId: string): Listing | null {
    const [row] = this.#sql
      .exec<ListingRow>(
        `SELECT lead_id, generation, version, state, price_cents, listed_at, expires_at, sale
         FROM listings WHERE lead_id = ?`,
        leadId,
      )
      .toArray();
    if (!row) return null;
    return {
      leadId: row.lead_id,
      generation: row.generation,
      version: row.version,
      state: row.state as Listing["state"],
      priceCents: row.price_cents,
      listedAt: row.listed_at,
      expiresAt: row.expires_at,
      sale: row.sale ? (JSON.parse(row.sale) as Sale) : null,
    };
  }

  /** Stores a listing; its summary only when there is a new one. */
  save(listing: Listing, summary: LeadSummary | null): void {
    this.#sql.exec(
      `INSERT INTO listings (lead_id, generation, version, state, price_cents, listed_at, expires_at, sale, summary, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (lead_id) DO UPDATE SET
         generation = excluded.generation, version = excluded.version, state = excluded.state,
         price_cents = excluded.price_cents, listed_at = excluded.listed_at, expires_at = excluded.expires_at,
         sale = excluded.sale, summary = coalesce(excluded.summary, summary),
         created_at = coalesce(excluded.created_at, created_at)`,
      listing.leadId,
      listing.generation,
      listing.version,
      listing.state,
      listing.priceCents,
      listing.listedAt,
      listing.expiresAt,
      listing.sale && JSON.stringify(listing.sale),
      summary && JSON.stringify(summary),
      summary && summary.createdAt,
    );
  }

  forgetSummary(leadId: string): void {
    this.#sql.exec("UPDATE listings SET summary = NULL WHERE lead_id = ?", leadId);
  }

  newestAvailable(limit: number, now: number): { leads: LeadSummary[]; total: number } {
    const rows = this.#sql
      .exec<{ summary: string }>(
        `SELECT summary FROM listings
         WHERE state = 'available' AND expires_at > ? AND summary IS NOT NULL
         ORDER BY created_at DESC, lead_id DESC LIMIT ?`,
        now,
        limit,
      )
      .toArray();
    const { total } = this.#sql
      .exec<{ total: number }>(
        "SELECT count(*) AS total FROM listings WHERE state = 'available' AND expires_at > ?",
        now,
      )
      .one();
    return { leads: rows.map((row) => JSON.parse(row.summary) as LeadSummary), total };
  }

  /** Appends a change to the history and returns it with its place in it. */
  appendEvent<Change extends MarketChange>(change: Change, now: number): Change {
    const seq = this.#head.seq + 1;
    const placed = { ...change, seq };
    this.#sql.exec("INSERT INTO events (seq, at, change) VALUES (?, ?, ?)", seq, now, JSON.stringify(placed));
    this.#sql.exec("DELETE FROM events WHERE seq <= ?", seq - EVENTS_KEPT);
    this.#head = { ...this.#head, seq };
    return placed;
  }

  eventsAfter(seq: number): MarketChange[] {
    return this.#sql
      .exec<{ change: string }>("SELECT change FROM events WHERE seq > ? ORDER BY seq", seq)
      .toArray()
      .map((row) => JSON.parse(row.change) as MarketChange);
  }

  putOutbox(projection: Projection): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (lead_id, version, projection) VALUES (?, ?, ?)",
      projection.leadId,
      projection.version,
      JSON.stringify(projection),
    );
  }

  loadOutbox(leadId: string): { projection: Projection; attempts: number } | null {
    const [row] = this.#sql
      .exec<{ projection: string; attempts: number }>(
        "SELECT projection, attempts FROM outbox WHERE lead_id = ?",
        leadId,
      )
      .toArray();
    return row ? { projection: JSON.parse(row.projection) as Projection, attempts: row.attempts } : null;
  }

  countAttempt(leadId: string, attempts: number): void {
    this.#sql.exec("UPDATE outbox SET attempts = ? WHERE lead_id = ?", attempts, leadId);
  }

  /** Forgets an outbox row, unless a newer version took its place. */
  dropOutbox(leadId: string, version: number): void {
    const { rowsWritten } = this.#sql.exec(
      "DELETE FROM outbox WHERE lead_id = ? AND version <= ?",
      leadId,
      version,
    );
    if (rowsWritten > 0) this.clearDue("project", leadId);
  }

  setDue(kind: DueKind, key: string, at: number, mode: "replace" | "keep-earlier"): void {
    const update = mode === "replace" ? "excluded.at" : "min(at, excluded.at)";
    this.#sql.exec(
      `INSERT INTO due (kind, key, at) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET at = ${update}`,
      kind,
      key,
      at,
    );
  }

  clearDue(kind: DueKind, key: string): void {
    this.#sql.exec("DELETE FROM due WHERE kind = ? AND key = ?", kind, key);
  }

  /** Rows whose time has come, earliest first; a bounded number, the alarm comes again for the rest. */
  listDue(now: number): { kind: DueKind; key: string }[] {
    return this.#sql
      .exec<{ kind: DueKind; key: string }>(
        "SELECT kind, key FROM due WHERE at <= ? ORDER BY at LIMIT 200",
        now,
      )
      .toArray();
  }

  nextDue(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM due").one().at;
  }
}
