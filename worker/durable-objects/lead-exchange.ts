import { DurableObject } from "cloudflare:workers";

import { CLOSE, type ExchangeMessage, type MarketChange, SNAPSHOT_LEADS } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { projectListing } from "../exchange/commands.ts";
import {
  type Answer,
  type Command,
  decide,
  type Effect,
  type Listing,
  retryDelayMs,
  type Sale,
} from "../exchange/rules.ts";
import { newId } from "../ids.ts";
import { encodeCursor } from "../leads/rules.ts";
import { createTables, EVENTS_KEPT, ExchangeStore } from "./exchange-store.ts";
import {
  acceptSocket,
  answerPings,
  broadcast,
  closeSelected,
  renewalTime,
  renewOldSockets,
  type SocketSelector,
} from "./sockets.ts";

/** The Worker that made a sale writes it to D1 itself; after this long without its word, the outbox does. */
const OUTBOX_GRACE_MS = 5_000;

/** Attempts after which a person should look. */
const ALARMING_ATTEMPTS = 8;

export type ListInput = {
  leadId: string;
  generation: number;
  priceCents: number;
  expiresAt: number;
  summary: LeadSummary;
};
export type SellInput = Pick<Sale, "businessId" | "userId" | "mode"> & {
  leadId: string;
  amountCents: number | null;
};

/**
 * One region's market: who gets a lead, and the live list. An adapter around the pure machine in
 * exchange/rules.ts. Everything that decides is synchronous SQL, so there is no moment between looking
 * and writing in which somebody else could be first.
 */
export class LeadExchange extends DurableObject<Env> {
  readonly #store: ExchangeStore;
  #snapshot: { seq: number; text: string } | null = null;
  #unsent: MarketChange[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    createTables(ctx.storage.sql);
    this.#store = new ExchangeStore(ctx.storage.sql);
    answerPings(ctx);
    // An eviction must not lose a timer: whatever is due re-arms the one alarm.
    void ctx.blockConcurrencyWhile(() => this.#arm());
  }

  /** Puts a lead on the market. The same lead again answers with what became of it. */
  async list(input: ListInput): Promise<Answer> {
    const { summary, ...command } = input;
    return this.#apply(input.leadId, { type: "list", ...command }, summary);
  }

  /** Sells a lead in one step, without a card. The same business again gets its own sale. */
  async sell(input: SellInput): Promise<Answer> {
    const { leadId, ...command } = input;
    return this.#apply(leadId, { type: "sell", ...command, purchaseId: newId("pur") }, null);
  }

  /** Takes a lead off the market. A sold lead stays sold. */
  async withdraw(leadId: string): Promise<Answer> {
    return this.#apply(leadId, { type: "withdraw" }, null);
  }

  /** The Worker has written this version to D1 itself: the outbox need not. */
  async acknowledge(leadId: string, version: number): Promise<void> {
    this.#store.dropOutbox(leadId, version);
  }

  /** Closes sockets whose owner lost the right to them. */
  async closeSockets(selector: SocketSelector): Promise<void> {
    closeSelected(this.ctx, selector);
  }

  /** The one WebSocket upgrade; the Worker has checked session and Origin. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now();
    // A newcomer's greeting includes what the others are about to hear.
    this.#broadcastUnsent();
    const { server, client } = acceptSocket(this.ctx, request, now);
    // No await between accepting and greeting: no change can fall in between.
    server.send(this.#greeting(new URL(request.url).searchParams.get("since"), now));
    this.#store.setDue("renew", "sockets", renewalTime(now), "keep-earlier");
    await this.#arm();
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(CLOSE.unexpectedMessage, "Nothing to say here");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 are reserved: a browser that just vanished is answered with a plain close.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    // Side by side and each caught alone: one row that fails or is slow keeps no other waiting.
    await Promise.all(
      this.#store.listDue(now).map(async ({ kind, key }) => {
        try {
          await this.#attend(kind, key, now);
        } catch (error) {
          this.#log("error", "due_row_failed", { kind, key, message: String(error) });
          this.#store.setDue(kind, key, now + retryDelayMs(1), "replace");
        }
      }),
    );
    await this.#arm();
  }

  async #attend(kind: string, key: string, now: number): Promise<void> {
    if (kind === "expire") {
      this.#store.clearDue(kind, key);
      this.#apply(key, { type: "expire" }, null);
    } else if (kind === "renew") {
      this.#store.clearDue(kind, key);
      const next = renewOldSockets(this.ctx, now);
      if (next !== null) this.#store.setDue("renew", "sockets", next, "replace");
    } else if (kind === "project") {
      await this.#project(key, now);
    }
  }

  /** Decides, stores and carries out the effects, all in one synchronous transaction. */
  #apply(leadId: string, command: Command, summary: LeadSummary | null): Answer {
    const now = Date.now();
    const announced: MarketChange[] = [];
    const answer = this.ctx.storage.transactionSync(() => {
      const before = this.#store.load(leadId);
      const decision = decide(before, command, now);
      const after = decision.listing;
      if (after && after !== before) this.#store.save(after, summary);
      for (const effect of decision.effects) this.#carryOut(effect, after!, summary, now, announced);
      return decision.answer;
    });
    // Only what was committed is told.
    this.#unsent.push(...announced);
    this.ctx.waitUntil(this.#arm());
    this.#broadcastSoon();
    return answer;
  }

  #carryOut(
    effect: Effect,
    listing: Listing,
    summary: LeadSummary | null,
    now: number,
    announced: MarketChange[],
  ): void {
    const { leadId } = listing;
    switch (effect.type) {
      case "announce_listed":
        if (summary) announced.push(this.#store.appendEvent({ kind: "listed", seq: 0, lead: summary }, now));
        break;
      case "announce_gone":
        announced.push(this.#store.appendEvent({ kind: "gone", seq: 0, leadId, reason: effect.reason }, now));
        break;
      case "forget_summary":
        this.#store.forgetSummary(leadId);
        this.#store.clearDue("expire", leadId);
        break;
      case "project":
        this.#store.putOutbox({ leadId, version: listing.version, state: listing.state, sale: listing.sale });
        this.#store.setDue("project", leadId, now + OUTBOX_GRACE_MS, "replace");
        break;
      case "wake_at":
        this.#store.setDue("expire", leadId, effect.at, "replace");
        break;
    }
  }

  /** Tells D1 about one listing, from the outbox. */
  async #project(leadId: string, now: number): Promise<void> {
    const entry = this.#store.loadOutbox(leadId);
    if (!entry) return this.#store.clearDue("project", leadId);
    const attempts = entry.attempts + 1;
    this.#store.countAttempt(leadId, attempts);
    this.#store.setDue("project", leadId, now + retryDelayMs(attempts), "replace");
    try {
      const outcome = await projectListing(database(this.env.DB), entry.projection, null);
      // The row may have been replaced while D1 was writing: only this version is done.
      this.#store.dropOutbox(leadId, entry.projection.version);
      if (outcome === "conflict") this.#log("error", "sale_conflict", { leadId });
    } catch (error) {
      const level = attempts >= ALARMING_ATTEMPTS ? "error" : "warn";
      this.#log(level, "outbox_retry", { leadId, attempts, message: String(error) });
    }
  }

  #greeting(since: string | null, now: number): string {
    const [epoch, seqText] = since?.split(":") ?? [];
    const seq = Number(seqText);
    const head = this.#store.head();
    if (epoch === head.epoch && Number.isInteger(seq) && seq <= head.seq && seq >= head.seq - EVENTS_KEPT) {
      const changes = this.#store.eventsAfter(seq);
      if (changes.length === head.seq - seq) return this.#changesText(changes, head, now);
    }
    return this.#snapshotText(head, now);
  }

  #changesText(changes: MarketChange[], head: { epoch: string; seq: number }, now: number): string {
    return JSON.stringify({ type: "changes", ...head, serverNow: now, changes } satisfies ExchangeMessage);
  }

  /** Serialised once per seq, however many browsers come back at the same moment. */
  #snapshotText(head: { epoch: string; seq: number }, now: number): string {
    if (this.#snapshot?.seq === head.seq) return this.#snapshot.text;
    const { leads, total } = this.#store.newestAvailable(SNAPSHOT_LEADS, now);
    const last = leads.at(-1);
    const cursor = last && total > leads.length ? encodeCursor(last) : null;
    const message: ExchangeMessage = { type: "snapshot", ...head, serverNow: now, leads, total, cursor };
    this.#snapshot = { seq: head.seq, text: JSON.stringify(message) };
    return this.#snapshot.text;
  }

  /** The buyer's answer leaves first; everybody else hears of it a moment later. */
  #broadcastSoon(): void {
    if (this.#unsent.length > 0) setTimeout(() => this.#broadcastUnsent(), 0);
  }

  #broadcastUnsent(): void {
    const changes = this.#unsent.splice(0);
    if (changes.length === 0) return;
    const { epoch } = this.#store.head();
    broadcast(this.ctx, this.#changesText(changes, { epoch, seq: changes.at(-1)!.seq }, Date.now()));
  }

  /** Sets the one alarm to whatever is due first. */
  async #arm(): Promise<void> {
    const next = this.#store.nextDue();
    const current = await this.ctx.storage.getAlarm();
    if (next === null) {
      if (current !== null) await this.ctx.storage.deleteAlarm();
    } else if (current === null || current !== next) {
      await this.ctx.storage.setAlarm(next);
    }
  }

  #log(level: "warn" | "error", event: string, fields: Record<string, unknown>): void {
    console[level](JSON.stringify({ level, event, object: "LeadExchange", id: this.ctx.id.name, ...fields }));
  }
}
