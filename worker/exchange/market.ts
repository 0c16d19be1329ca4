import { DurableObject } from "cloudflare:workers";

import { MINUTE_MS } from "../../contract/durations.ts";
import { CLOSE, type MarketChange } from "../../contract/exchange.ts";
import { notifyOffers } from "../live/room.ts";
import { completeClose, LiveSockets, type SocketSelector } from "../live/sockets.ts";
import { raiseAttention } from "../outbox/commands.ts";
import type { Db } from "../platform/db/client.ts";
import { contextOf } from "../platform/context.ts";
import type { Bindings } from "../platform/env.ts";
import { newId } from "../platform/ids.ts";
import { log, withRequestId } from "../platform/log.ts";
import { applyEffect } from "./effects.ts";
import {
  type Answer,
  type Command,
  type Effect,
  type Hold,
  isOpen,
  type ListingRecord,
  type Sale,
  type Terms,
} from "./listing.ts";
import { LiveList } from "./live-list.ts";
import type { ExchangeObject, MarketCommand, PauseRequest } from "./object.ts";
import type { CancelOutcome, PaymentOrder, PaymentsPort, ProjectListing } from "./ports.ts";
import { eraseLeadRecord, readRecords, readRecordsPage, type RecordsQuery } from "./records.ts";
import { decide, decideWhilePaused, retryDelayMs } from "./rules.ts";
import { type DueKind, ExchangeStore } from "./store.ts";
import { createTables } from "./tables.ts";

/** A cancellation without an outcome is retried after this long. It is longer than Stripe may take. */
const CANCEL_RETRY_MS = 30_000;

/** Maximum time that an alarm waits for its due rows. */
const SLOW_ROW_MS = 1_000;

/** From this attempt on, a failure is logged as an error so that an operator sees it. */
const ERROR_LOG_ATTEMPTS = 8;

/** Returns whether a decision ended a lapsed hold that had no payment. */
function isLapsedUnpaid({ paymentIntentId }: Hold, effects: readonly Effect[]): boolean {
  return paymentIntentId === null && effects.some((one) => one.type === "remember_release" && one.lapsed);
}

/** A complete command about one lead. A `list` or a `revise` includes the lead's summary. */
type LeadCommand = { leadId: string } & (
  | Exclude<Command, { type: "list" | "revise" }>
  | Extract<MarketCommand, { type: "list" }>
  | (Extract<MarketCommand, { type: "revise" }> & Extract<Command, { type: "revise" }>)
);

/**
 * One region's market: decides which business gets a lead, and broadcasts the live list. Adds storage, timers and
 * connected clients to the pure state machine in rules.ts. `ExchangeObject` documents the calls. Every decision is
 * synchronous SQL, so no other call can run between a read and its write.
 */
export abstract class Market extends DurableObject<Bindings> implements ExchangeObject {
  readonly #db: Db;
  readonly #payments: PaymentsPort;
  readonly #projectListing: ProjectListing;
  readonly #store: ExchangeStore;
  readonly #sockets: LiveSockets;
  readonly #live: LiveList;
  #shareReportedAt = 0;
  /** When the alarm is due (epoch ms); null if no alarm is set. */
  #alarmAt: number | null = null;

  /** Handlers by kind of timer. A handler must delete or postpone its timer; otherwise it runs again. */
  readonly #timers: Record<DueKind, (key: string, now: number) => void | Promise<void>> = {
    announce: (leadId) => this.#applyDue("announce", { type: "announce", leadId }),
    expire: (leadId) => this.#applyDue("expire", { type: "expire", leadId }),
    hold: (leadId) => this.#applyDue("hold", { type: "lapse", leadId }),
    offer: (leadId) => this.#applyDue("offer", { type: "end_offer", leadId }),
    release: (leadId, now) => this.#cancelHoldPayment(leadId, now),
    project: (leadId, now) => this.#project(leadId, now),
    renew: (_, now) => this.#renew(now),
  };

  constructor(
    ctx: DurableObjectState,
    env: Bindings,
    payments: PaymentsPort,
    projectListing: ProjectListing,
  ) {
    super(ctx, env);
    createTables(ctx.storage.sql);
    this.#db = contextOf(env).db;
    this.#payments = payments;
    this.#projectListing = projectListing;
    this.#store = new ExchangeStore(ctx.storage);
    this.#sockets = new LiveSockets(ctx);
    this.#live = new LiveList(this.#sockets, this.#store);
    void ctx.blockConcurrencyWhile(async () => {
      this.#armRenewal(this.#sockets.nextEnd);
      // Set the alarm again if the runtime has lost it.
      this.#alarmAt = await ctx.storage.getAlarm();
      this.#arm();
    });
  }

  async decide(command: MarketCommand): Promise<Answer> {
    const now = Date.now();
    const answer = this.#apply(this.#addFacts(command, now));
    if (command.type === "hold" && !answer.ok && answer.reason === "share_taken") this.#reportShare(now);
    return answer;
  }

  /** Adds the facts that only this exchange knows. */
  #addFacts(command: MarketCommand, now: number): LeadCommand {
    if (command.type === "sell" || command.type === "settle") return { ...command, purchaseId: newId("pur") };
    if (command.type === "revise")
      return { ...command, isOutdated: this.#store.revisionOf(command.leadId) >= command.revision };
    if (command.type !== "hold") return command;
    const { newcomerSharePercent: share, ...asked } = command;
    const buyerHistory = this.#store.buyerHistoryOf(asked, share ?? null, now);
    return { ...asked, isNewcomer: share !== undefined, buyerHistory };
  }

  async releaseBusiness(businessId: string): Promise<number> {
    const holds = this.#store.holdsOf(businessId);
    for (const hold of holds) this.#apply({ type: "release", ...hold, cause: "closed" });
    return holds.length;
  }

  async pause(pauseRequest: PauseRequest): Promise<void> {
    this.#store.setPause(pauseRequest);
  }

  async resume(now: number): Promise<void> {
    this.#store.endPause(now);
  }

  async listHolds(): Promise<{ leadId: string; until: number }[]> {
    return this.#store.listHolds();
  }

  async acknowledge(leadId: string, version: number): Promise<void> {
    this.#store.dropOutbox(leadId, version);
  }

  async closeSockets(selector: SocketSelector): Promise<void> {
    this.#sockets.end(selector, Date.now());
    this.#armRenewal(this.#sockets.nextEnd);
  }

  async erase(terms: Terms): Promise<{ erased: boolean }> {
    if (this.#store.load(terms.leadId)?.hold) return { erased: false };
    this.#apply({ type: "withdraw", ...terms, byUserId: null, toRegion: null });
    const after = this.#store.load(terms.leadId);
    if (after && (isOpen(after.state) || after.departure?.toRegion)) return { erased: false };
    await this.forget(terms.leadId);
    return { erased: true };
  }

  async forget(leadId: string): Promise<void> {
    eraseLeadRecord(this.ctx.storage.sql, leadId, Date.now());
    this.#live.forgetGreetings();
  }

  async pageRecords(query: RecordsQuery): Promise<{ records: ListingRecord[]; next: string | null }> {
    return readRecordsPage(this.ctx.storage.sql, query);
  }

  async recordsOf(leadIds: string[]): Promise<ListingRecord[]> {
    return readRecords(this.ctx.storage.sql, leadIds);
  }

  async runnersUp(leadId: string): Promise<string[]> {
    return this.#store.runnersUp(leadId);
  }

  async outboxSince(): Promise<number | null> {
    return this.#store.outboxSince();
  }

  /** Accepts a WebSocket upgrade. The Worker has already checked Origin. `accept` refuses an unknown session. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now();
    // Broadcast first: the new client's first message already includes these changes.
    this.#live.broadcastUnsent();
    const { searchParams } = new URL(request.url);
    const accepted = this.#sockets.accept(searchParams, now);
    if (!accepted) return new Response(null, { status: 401 });
    // No await between accept and the first message, so that the client does not miss a change.
    accepted.server.send(this.#live.greeting(searchParams.get("since"), now));
    this.#armRenewal(accepted.wakeAt);
    return accepted.response;
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(CLOSE.unexpectedMessage, "Nothing to say here");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    completeClose(socket, code);
  }

  override alarm(): Promise<void> {
    return withRequestId(`alarm_${crypto.randomUUID()}`, () => this.#handleDue(Date.now()));
  }

  async #handleDue(now: number): Promise<void> {
    // The runtime has cleared the alarm.
    this.#alarmAt = null;
    // Handle rows in parallel and catch errors per row: a failing or slow row must not delay others.
    const rows = Promise.all(
      this.#store.listDue(now).map(async ({ kind, key }) => {
        try {
          await this.#timers[kind](key, now);
        } catch (error) {
          this.#log("error", "due_row_failed", { kind, key, error });
          this.#store.setDue(kind, key, now + retryDelayMs(1), "replace");
        }
      }),
    );
    // The next alarm starts only after this one ends, so slow rows finish after the alarm.
    this.ctx.waitUntil(rows);
    await Promise.race([rows, scheduler.wait(SLOW_ROW_MS)]);
    this.#arm();
  }

  #applyDue(kind: DueKind, command: LeadCommand): void {
    this.#store.clearDue(kind, command.leadId);
    this.#apply(command);
  }

  /** Decides a command, stores the result and applies the effects in one synchronous step. */
  #apply(command: LeadCommand): Answer {
    const { leadId } = command;
    const summary = "summary" in command ? command.summary : null;
    const now = Date.now();
    const before = this.#store.load(leadId);
    const decision = (this.#store.pause ? decideWhilePaused : decide)(before, command, now);
    const { listing: after, effects, answer } = decision;
    // Nothing changed, for example for a late buyer: skip the transaction and the alarm.
    if (after === before && effects.length === 0) return answer;
    const announced: MarketChange[] = [];
    this.#store.transaction(() => {
      if (after && after !== before) this.#store.save(after, summary);
      if (command.type === "revise" && answer.ok) this.#store.saveRevision(leadId, command.revision);
      for (const effect of effects) {
        const change = applyEffect(this.#store, effect, { listing: after!, now });
        if (change) announced.push(change);
      }
    });
    this.#arm();
    // Broadcast only committed changes.
    this.#live.enqueue(announced);
    if (effects.some(({ type }) => type === "alert_stuck")) this.ctx.waitUntil(this.#alertStuck(leadId, now));
    if (before?.hold && isLapsedUnpaid(before.hold, effects))
      this.ctx.waitUntil(this.#endUnpaid({ leadId, holdId: before.hold.holdId }, now));
    return answer;
  }

  /** The ledger may lag behind: the sweep that runs each minute updates it as well. */
  async #endUnpaid(hold: { leadId: string; holdId: string }, now: number): Promise<void> {
    try {
      await this.#payments.endUnpaid(hold, now);
    } catch (error) {
      this.#log("warn", "unpaid_left_to_sweep", { leadId: hold.leadId, error });
    }
  }

  /**
   * Cancels the payment of a hold that is over. The lead may change during the call to Stripe, so the state machine
   * decides on a fresh read.
   */
  async #cancelHoldPayment(leadId: string, now: number): Promise<void> {
    const listing = this.#store.load(leadId);
    const hold = listing?.state === "releasing" ? listing.hold : null;
    if (!hold?.paymentIntentId) return this.#store.clearDue("release", leadId);
    // If this handler crashes midway, the alarm runs it again.
    this.#store.setDue("release", leadId, now + CANCEL_RETRY_MS, "replace");
    let outcome: CancelOutcome | null = null;
    try {
      outcome = await this.#payments.cancel(hold.paymentIntentId, this.#orderOf(leadId, hold));
    } catch (error) {
      this.#log("warn", "release_retry", { leadId, error });
    }
    if (outcome?.status !== "cancelled" && outcome?.status !== "succeeded") {
      this.#apply({ type: "unclear", leadId, holdId: hold.holdId });
      return;
    }
    const answer = await this.decide({ type: "settle", ...outcome.payment });
    // The ledger may lag behind: the sweep that runs each minute updates it as well.
    await outcome.record(answer);
    const cause = hold.release?.cause;
    const hasLapsed = cause === "lapsed";
    const isAbandoned = outcome.status === "cancelled" && cause !== "failed";
    if (isAbandoned)
      await this.#payments.recordAbandonedHold({ leadId, holdId: hold.holdId, hasLapsed }, now);
  }

  #orderOf(leadId: string, of: { holdId: string; businessId: string; amountCents: number }): PaymentOrder {
    const { holdId, businessId, amountCents } = of;
    return { leadId, region: this.ctx.id.name!, holdId, businessId, amountCents };
  }

  /** Alerts the admins that new providers have reached their share of holds. At most once a minute, to spare D1. */
  #reportShare(now: number): void {
    if (now < this.#shareReportedAt + MINUTE_MS) return;
    this.#shareReportedAt = now;
    const region = this.ctx.id.name!;
    const detail =
      "New providers have reached their limit in this region, and we turned another one away. If their names look made up, deactivate them.";
    this.ctx.waitUntil(
      raiseAttention(this.#db, "newcomer_share", region, detail, now).catch((error: unknown) =>
        this.#log("warn", "alert_retry", { error }),
      ),
    );
  }

  async #alertStuck(leadId: string, now: number): Promise<void> {
    this.#log("error", "release_stuck", { leadId });
    const detail =
      "We haven't been able to cancel a payment for ten minutes. Until we do, no one can buy the lead.";
    // If this write fails, the next retry raises the alert again within a minute.
    await raiseAttention(this.#db, "release_stuck", leadId, detail, now).catch((error: unknown) =>
      this.#log("warn", "alert_retry", { leadId, error }),
    );
  }

  /** Writes one listing from the outbox to D1. */
  async #project(leadId: string, now: number): Promise<void> {
    const entry = this.#store.loadOutbox(leadId);
    if (!entry) return this.#store.clearDue("project", leadId);
    const attempts = entry.attempts + 1;
    this.#store.countAttempt(leadId, attempts);
    this.#store.setDue("project", leadId, now + retryDelayMs(attempts), "replace");
    try {
      const outcome = await this.#projectListing(this.#db, entry.projection, null);
      if (outcome === "conflict") {
        this.#log("error", "sale_conflict", { leadId });
        await this.#refundSale(leadId, entry.projection.sale!);
      }
      // Only the last two offers can have changed.
      const changed = entry.projection.rescue?.offers.slice(-2).map(({ businessId }) => businessId) ?? [];
      if (changed.length > 0) this.ctx.waitUntil(notifyOffers(this.env, changed));
      // A newer version may have replaced the row during the write to D1, so delete only this version.
      this.#store.dropOutbox(leadId, entry.projection.version);
    } catch (error) {
      const level = attempts >= ERROR_LOG_ATTEMPTS ? "error" : "warn";
      this.#log(level, "outbox_retry", { leadId, attempts, error });
    }
  }

  /** Refunds a sale that D1 refused because another business has the lead. */
  async #refundSale(leadId: string, sale: Sale): Promise<void> {
    const { holdId, paymentIntentId, businessId, amountCents } = sale;
    if (!holdId || !paymentIntentId) return;
    await this.#payments.refundSale(
      paymentIntentId,
      this.#orderOf(leadId, { holdId, businessId, amountCents }),
    );
  }

  #renew(now: number): void {
    this.#store.clearDue("renew", "sockets");
    this.#sockets.closeDue(now);
    this.#armRenewal(this.#sockets.nextEnd);
  }

  /** Sets a timer for the next session that expires here. */
  #armRenewal(at: number | null): void {
    if (at === null) return;
    this.#store.setDue("renew", "sockets", at, "keep-earlier");
    this.#arm();
  }

  /**
   * Sets the object's only alarm to the earliest due row. Call it in the same turn as the change of the rows: the
   * runtime commits both together, so no crash separates them.
   */
  #arm(): void {
    const next = this.#store.nextDue();
    if (next === this.#alarmAt) return;
    this.#alarmAt = next;
    this.ctx.waitUntil(next === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(next));
  }

  #log(level: "warn" | "error", event: string, fields: Record<string, unknown>): void {
    log(level, event, { object: "LeadExchange", region: this.ctx.id.name, ...fields });
  }
}
