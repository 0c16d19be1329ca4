import type { MarketChange } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { LAPSE_WINDOW_MS } from "./hold-rules.ts";
import {
  type BuyerHistory,
  type Departure,
  type Hold,
  type Listing,
  openOffer,
  type Projection,
  type Rescue,
  type Sale,
} from "./listing.ts";
import type { PauseRequest } from "./object.ts";

/** Maximum changes that a reconnecting client can catch up on. A client further behind receives a snapshot. */
export const MAX_EVENTS = 1000;

/** Kinds of timers that share the object's one alarm. A timer's key is a lead's ID or "sockets". */
export type DueKind = "announce" | "expire" | "renew" | "project" | "hold" | "offer" | "release";

type Due = { kind: DueKind; key: string };

/** Maximum runners-up of a lead, and how long they are kept. No rescue begins later than that. */
const MAX_RUNNERS_UP = 10;
const RUNNERS_UP_MS = 30 * DAY_MS;

/** Maximum expired rows to delete with each insert. */
const MAX_DELETES_PER_INSERT = 8;

/** Primary keys of the tables that keep rows for a limited time. */
const EXPIRING_KEYS = {
  releases: "business_id, at, lead_id",
  runners_up: "lead_id, business_id",
};

/** A hold that a business closed (0) or let lapse (1). */
type Release = { leadId: string; at: number; lapsed: number };

type ListingRow = {
  lead_id: string;
  generation: number;
  version: number;
  state: string;
  price_cents: number;
  listed_at: number;
  expires_at: number;
  sale: string | null;
  hold: string | null;
  departure: string | null;
  rescue: string | null;
};

/** A position in a region's history. */
export type Head = { epoch: string; seq: number };

/** Parses a record that is stored as JSON. */
export function parse<Stored>(text: string | null): Stored | null {
  return text === null ? null : (JSON.parse(text) as Stored);
}

const newEpoch = () => crypto.randomUUID().slice(0, 8);

/** The exchange's SQL. Every method is synchronous. */
export class ExchangeStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #head: Head;
  #pause: PauseRequest | null;

  constructor(storage: DurableObjectStorage) {
    const { sql } = storage;
    this.#storage = storage;
    this.#sql = sql;
    // The epoch identifies this history. A wiped object starts a new one, and clients take a snapshot.
    sql.exec("INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', ?)", newEpoch());
    const epoch = sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'epoch'").one().value;
    const last = sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM events").one();
    this.#head = { epoch, seq: last.seq ?? 0 };
    this.#pause = parse<PauseRequest>(this.#meta("paused"));
  }

  #meta(key: string): string | null {
    const [row] = this.#sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = ?", key).toArray();
    return row?.value ?? null;
  }

  #setMeta(key: string, value: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
  }

  get pause(): PauseRequest | null {
    return this.#pause;
  }

  /** Pauses the region. Keeps the reason of an existing pause. Ignores a pause older than the last resume. */
  setPause(request: PauseRequest): void {
    if (this.#pause !== null || request.at < Number(this.#meta("resumed_at") ?? 0)) return;
    this.#setMeta("paused", JSON.stringify(request));
    this.#pause = request;
  }

  endPause(now: number): void {
    this.#setMeta("resumed_at", String(Math.max(now, Number(this.#meta("resumed_at") ?? 0))));
    this.#sql.exec("DELETE FROM meta WHERE key = 'paused'");
    this.#pause = null;
  }

  /** Runs changes in one transaction. If it fails, the cached head is rolled back with it. */
  transaction(work: () => void): void {
    const before = this.#head;
    try {
      this.#storage.transactionSync(work);
    } catch (error) {
      this.#head = before;
      throw error;
    }
  }

  head(): Head {
    return this.#head;
  }

  load(leadId: string): Listing | null {
    const [row] = this.#sql
      .exec<ListingRow>(
        `SELECT lead_id, generation, version, state, price_cents, listed_at, expires_at, sale, hold, departure, rescue
         FROM listings LEFT JOIN holds USING (lead_id) LEFT JOIN rescues USING (lead_id) WHERE lead_id = ?`,
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
      sale: parse<Sale>(row.sale),
      hold: parse<Hold>(row.hold),
      departure: parse<Departure>(row.departure),
      rescue: parse<Rescue>(row.rescue),
    };
  }

  /** Stores a listing. A null summary keeps the stored one. */
  save(listing: Listing, summary: LeadSummary | null): void {
    this.#sql.exec(
      `INSERT INTO listings (lead_id, generation, version, state, price_cents, listed_at, expires_at, sale, departure, summary, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (lead_id) DO UPDATE SET
         generation = excluded.generation, version = excluded.version, state = excluded.state,
         price_cents = excluded.price_cents, listed_at = excluded.listed_at, expires_at = excluded.expires_at,
         sale = excluded.sale, departure = excluded.departure, summary = coalesce(excluded.summary, summary),
         created_at = coalesce(excluded.created_at, created_at)`,
      listing.leadId,
      listing.generation,
      listing.version,
      listing.state,
      listing.priceCents,
      listing.listedAt,
      listing.expiresAt,
      listing.sale && JSON.stringify(listing.sale),
      listing.departure && JSON.stringify(listing.departure),
      summary && JSON.stringify(summary),
      summary && summary.createdAt,
    );
    this.#saveHold(listing);
    this.#saveRescue(listing);
  }

  #saveRescue({ leadId, rescue }: Listing): void {
    if (!rescue) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO rescues (lead_id, offer_ends_at, rescue) VALUES (?, ?, ?)",
      leadId,
      openOffer({ rescue })?.endsAt ?? null,
      JSON.stringify(rescue),
    );
  }

  #saveHold({ leadId, hold, state }: Listing): void {
    if (hold) {
      const text = JSON.stringify(hold);
      this.#sql.exec(
        "INSERT OR REPLACE INTO holds (lead_id, ends_at, hold) VALUES (?, ?, ?)",
        leadId,
        hold.endsAt,
        text,
      );
      if (state === "releasing") this.clearDue("hold", leadId);
    } else if (this.#sql.exec("DELETE FROM holds WHERE lead_id = ?", leadId).rowsWritten > 0) {
      this.clearDue("announce", leadId);
      this.clearDue("hold", leadId);
      this.clearDue("release", leadId);
    }
  }

  summaryOf(leadId: string): LeadSummary | null {
    const [row] = this.#sql
      .exec<{ summary: string | null }>("SELECT summary FROM listings WHERE lead_id = ?", leadId)
      .toArray();
    return parse<LeadSummary>(row?.summary ?? null);
  }

  /** Returns the newest revision of a lead that was applied here; 0 without one. */
  revisionOf(leadId: string): number {
    const [row] = this.#sql
      .exec<{ revision: number }>("SELECT revision FROM revisions WHERE lead_id = ?", leadId)
      .toArray();
    return row?.revision ?? 0;
  }

  saveRevision(leadId: string, revision: number): void {
    this.#sql.exec(
      `INSERT INTO revisions (lead_id, revision) VALUES (?, ?)
       ON CONFLICT (lead_id) DO UPDATE SET revision = max(revision, excluded.revision)`,
      leadId,
      revision,
    );
  }

  /** Returns the held leads and when each hold ends. Omits holds that have not been broadcast yet. */
  listHolds(): { leadId: string; until: number }[] {
    return this.#sql
      .exec<{ leadId: string; until: number }>(
        "SELECT lead_id AS leadId, ends_at AS until FROM holds WHERE hold ->> 'announceAt' IS NULL",
      )
      .toArray();
  }

  /** Returns a business's holds here. Scans the whole table, which has only one row per held lead. */
  holdsOf(businessId: string): { leadId: string; holdId: string }[] {
    return this.#sql
      .exec<{ leadId: string; holdId: string }>(
        `SELECT lead_id AS leadId, hold ->> 'holdId' AS holdId FROM holds WHERE hold ->> 'businessId' = ?`,
        businessId,
      )
      .toArray();
  }

  /**
   * Returns the history of a business that asks for a hold. Queries releases and the share lazily, because late buyers
   * are refused without them.
   */
  buyerHistoryOf(
    { businessId, leadId }: { businessId: string; leadId: string },
    newcomerSharePercent: number | null,
    now: number,
  ): BuyerHistory {
    const isShareTaken = () => newcomerSharePercent !== null && this.#isShareTaken(newcomerSharePercent);
    let found: Release[] | null = null;
    const releases = () => (found ??= this.#releasesOf(businessId, now));
    return {
      get releasedAt() {
        return releases().findLast((row) => row.leadId === leadId)?.at ?? null;
      },
      get releaseTimes() {
        return releases().map((row) => row.at);
      },
      get isShareTaken() {
        return isShareTaken();
      },
    };
  }

  /** Returns whether new providers hold this percentage of the leads not held by others. One lead is always allowed. */
  #isShareTaken(percent: number): boolean {
    const { open } = this.#sql
      .exec<{ open: number }>(
        "SELECT count(*) AS open FROM listings WHERE state IN ('available', 'held', 'releasing')",
      )
      .one();
    const { holds, newcomers } = this.#sql
      .exec<{ holds: number; newcomers: number }>(
        "SELECT count(*) AS holds, count(hold ->> 'isNewcomer') AS newcomers FROM holds",
      )
      .one();
    const free = open - (holds - newcomers);
    return newcomers >= Math.max(1, Math.floor((free * percent) / 100));
  }

  #releasesOf(businessId: string, now: number): Release[] {
    return this.#sql
      .exec<Release>(
        "SELECT lead_id AS leadId, at, lapsed FROM releases WHERE business_id = ? AND at > ?",
        businessId,
        now - LAPSE_WINDOW_MS,
      )
      .toArray();
  }

  saveRelease(businessId: string, leadId: string, lapsed: boolean, now: number): void {
    this.#deleteExpired("releases", now - LAPSE_WINDOW_MS);
    this.#sql.exec(
      "INSERT OR REPLACE INTO releases (business_id, at, lead_id, lapsed) VALUES (?, ?, ?, ?)",
      businessId,
      now,
      leadId,
      lapsed ? 1 : 0,
    );
  }

  /** Stores a runner-up of a lead, unless the business is already stored or the lead has enough. */
  saveRunnerUp(leadId: string, businessId: string, now: number): void {
    const { rowsWritten } = this.#sql.exec(
      `INSERT OR IGNORE INTO runners_up (lead_id, business_id, at)
       SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM runners_up WHERE lead_id = ?1) < ?4`,
      leadId,
      businessId,
      now,
      MAX_RUNNERS_UP,
    );
    if (rowsWritten > 0) this.#deleteExpired("runners_up", now - RUNNERS_UP_MS);
  }

  /** Returns the businesses whose claims of a lead were refused, in order. */
  runnersUp(leadId: string): string[] {
    return this.#sql
      .exec<{ businessId: string }>(
        "SELECT business_id AS businessId FROM runners_up WHERE lead_id = ? ORDER BY at",
        leadId,
      )
      .toArray()
      .map(({ businessId }) => businessId);
  }

  /** Deletes some expired rows of any business: more than one per insert, so that the table does not grow. */
  #deleteExpired(table: keyof typeof EXPIRING_KEYS, before: number): void {
    const key = EXPIRING_KEYS[table];
    this.#sql.exec(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE at <= ? ORDER BY at LIMIT ?)`,
      before,
      MAX_DELETES_PER_INSERT,
    );
  }

  deleteSummary(leadId: string): void {
    this.#sql.exec("UPDATE listings SET summary = NULL WHERE lead_id = ?", leadId);
    this.#sql.exec("DELETE FROM revisions WHERE lead_id = ?", leadId);
  }

  /**
   * Returns the newest leads on the market, including held leads. Omits a lead that is offered to one business, and an
   * expired lead that still waits for its alarm.
   * `total` includes such a lead until `gone` is broadcast, because clients subtract it then.
   */
  listNewestOpen(limit: number, now: number): { leads: LeadSummary[]; total: number } {
    const open = `state IN ('available', 'held', 'releasing')
      AND lead_id NOT IN (SELECT lead_id FROM rescues WHERE offer_ends_at IS NOT NULL)`;
    const rows = this.#sql
      .exec<{ summary: string; until: number | null }>(
        `SELECT summary, iif(hold ->> 'announceAt' IS NULL, ends_at, NULL) AS until
         FROM listings LEFT JOIN holds USING (lead_id)
         WHERE ${open} AND (expires_at > ? OR state <> 'available') AND summary IS NOT NULL
         ORDER BY created_at DESC, lead_id DESC LIMIT ?`,
        now,
        limit,
      )
      .toArray();
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM listings WHERE ${open}`)
      .one();
    const leads = rows.map(({ summary, until }) => ({
      ...(JSON.parse(summary) as LeadSummary),
      heldUntil: until,
    }));
    return { leads, total };
  }

  /** Appends a change to the history and returns it with its number. */
  appendEvent<Change extends MarketChange>(change: Change, now: number): Change {
    const seq = this.#head.seq + 1;
    const placed = { ...change, seq };
    this.#sql.exec("INSERT INTO events (seq, at, change) VALUES (?, ?, ?)", seq, now, JSON.stringify(placed));
    this.#sql.exec("DELETE FROM events WHERE seq <= ?", seq - MAX_EVENTS);
    this.#head = { ...this.#head, seq };
    return placed;
  }

  /** Replaces a lead's summary in all stored changes that contain it. */
  replaceInEvents(lead: LeadSummary): void {
    this.#sql.exec(
      "UPDATE events SET change = json_set(change, '$.lead', json(?)) WHERE change ->> '$.lead.id' = ?",
      JSON.stringify(lead),
      lead.id,
    );
  }

  eventsAfter(seq: number): MarketChange[] {
    return this.#sql
      .exec<{ change: string }>("SELECT change FROM events WHERE seq > ? ORDER BY seq", seq)
      .toArray()
      .map((row) => JSON.parse(row.change) as MarketChange);
  }

  putOutbox(projection: Projection, now: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (lead_id, version, projection, queued_at) VALUES (?, ?, ?, ?)",
      projection.leadId,
      projection.version,
      JSON.stringify(projection),
      now,
    );
  }

  /** Returns when the oldest outbox entry was added (epoch ms); null if the outbox is empty. */
  outboxSince(): number | null {
    return this.#sql.exec<{ since: number | null }>("SELECT min(queued_at) AS since FROM outbox").one().since;
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

  /** Deletes an outbox row, unless a newer version has replaced it. */
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

  /** Returns up to 200 due rows, earliest first. The alarm runs again for any further rows. */
  listDue(now: number): Due[] {
    return this.#sql
      .exec<Due>("SELECT kind, key FROM due WHERE at <= ? ORDER BY at LIMIT 200", now)
      .toArray();
  }

  nextDue(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM due").one().at;
  }
}
