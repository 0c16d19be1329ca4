import { DurableObject } from "cloudflare:workers";

import { CLOSE } from "../../contract/exchange.ts";
import { database } from "../platform/db/client.ts";
import type { Env } from "../platform/env.ts";
import type { Answer, ListingRecord, ListingState, Terms } from "../exchange/listing.ts";
import { Market } from "../exchange/market.ts";
import type {
  ExchangeObject,
  HoldInput,
  ListInput,
  PauseWord,
  Rewinding,
  SellInput,
  WithdrawInput,
} from "../exchange/object.ts";
import { bookmarkAt } from "../exchange/history.ts";
import type { Payment } from "../exchange/payment.ts";
import type { RecordsQuery, RedactedTexts } from "../exchange/records.ts";
import { answerClose, type SocketSelector } from "../live/sockets.ts";
import { traced } from "../platform/log.ts";
import { paymentsPort } from "../selling/payments/port.ts";
import { createTables } from "./exchange-tables.ts";

/**
 * One region's exchange as a Durable Object. Every call is forwarded to its market. The methods are documented in
 * exchange/object.ts.
 */
export class LeadExchange extends DurableObject<Env> implements ExchangeObject {
  readonly #market: Market;
  /** Identifies this instance in memory, so that callers can detect a restart. */
  readonly #instance = crypto.randomUUID();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    createTables(ctx.storage.sql);
    this.#market = new Market(ctx, database(env.DB), paymentsPort(env));
  }

  list(input: ListInput): Promise<Answer> {
    return this.#market.list(input);
  }

  sell(input: SellInput): Promise<Answer> {
    return this.#market.sell(input);
  }

  hold(input: HoldInput): Promise<Answer> {
    return this.#market.hold(input);
  }

  attach(leadId: string, holdId: string, paymentIntentId: string): Promise<Answer> {
    return this.#market.attach(leadId, holdId, paymentIntentId);
  }

  release(leadId: string, holdId: string, cause: "closed" | "failed"): Promise<Answer> {
    return this.#market.release(leadId, holdId, cause);
  }

  releaseBusiness(businessId: string): Promise<number> {
    return this.#market.releaseBusiness(businessId);
  }

  lapse(leadId: string): Promise<Answer> {
    return this.#market.lapse(leadId);
  }

  free(leadId: string): Promise<{ holdId: string | null }> {
    return this.#market.free(leadId);
  }

  settle(payment: Payment): Promise<Answer> {
    return this.#market.settle(payment);
  }

  pause(word: PauseWord): Promise<boolean> {
    return this.#market.pause(word);
  }

  resume(askedAt: number): Promise<boolean> {
    return this.#market.resume(askedAt);
  }

  listHolds(): Promise<{ leadId: string; until: number }[]> {
    return this.#market.listHolds();
  }

  countHolds(): Promise<number> {
    return this.#market.countHolds();
  }

  withdraw(input: WithdrawInput): Promise<Answer> {
    return this.#market.withdraw(input);
  }

  acknowledge(leadId: string, version: number): Promise<void> {
    return this.#market.acknowledge(leadId, version);
  }

  closeSockets(selector: SocketSelector): Promise<void> {
    return this.#market.closeSockets(selector);
  }

  erase(terms: Terms): Promise<{ erased: boolean }> {
    return this.#market.erase(terms);
  }

  forget(leadId: string): Promise<void> {
    return this.#market.forget(leadId);
  }

  retell(texts: RedactedTexts[]): Promise<void> {
    return this.#market.retell(texts);
  }

  pageRecords(query: RecordsQuery): Promise<{ records: ListingRecord[]; next: string | null }> {
    return this.#market.pageRecords(query);
  }

  statesOf(leadIds: string[]): Promise<{ leadId: string; state: ListingState }[]> {
    return this.#market.statesOf(leadIds);
  }

  pulse(): Promise<{ outboxSince: number | null }> {
    return this.#market.pulse();
  }

  bookmarkAt(at: number): Promise<string | null> {
    return bookmarkAt(this.ctx.storage, at);
  }

  async rewind(bookmark: string): Promise<Rewinding> {
    const undo = await this.ctx.storage.onNextSessionRestoreBookmark(bookmark);
    return { undo, instance: this.#instance };
  }

  async restart(instance: string): Promise<void> {
    if (instance === this.#instance) this.ctx.abort("Restarted by an operator");
  }

  beginAnew(word: PauseWord): Promise<void> {
    return this.#market.beginAnew(word);
  }

  /** Accepts a WebSocket upgrade. The Worker has checked Origin. D1, or this object's table, confirms the session. */
  override fetch(request: Request): Promise<Response> {
    return this.#market.accept(request);
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(CLOSE.unexpectedMessage, "Nothing to say here");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    answerClose(socket, code);
  }

  override alarm(): Promise<void> {
    return traced(`alarm_${crypto.randomUUID()}`, () => this.#market.attendAll(Date.now()));
  }
}
