import { DurableObject } from "cloudflare:workers";

import { type BusinessMessage, CLOSE } from "../../contract/exchange.ts";
import type { Bindings } from "../platform/env.ts";
import type { RoomNotice, RoomObject } from "../live/room.ts";
import { completeClose, LiveSockets, type SocketSelector } from "../live/sockets.ts";

/**
 * Sends changes to the open windows of one business, so that team members see each other's changes. It stores no
 * business data.
 */
export class BusinessRoom extends DurableObject<Bindings> implements RoomObject {
  readonly #sockets: LiveSockets;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#sockets = new LiveSockets(ctx);
  }

  /** Sends a notice to every window of the business. A window that misses it catches up when it reconnects. */
  async notify(notice: RoomNotice): Promise<void> {
    const now = Date.now();
    this.#sockets.broadcast(JSON.stringify({ ...notice, serverNow: now } satisfies BusinessMessage), now);
  }

  /** Returns the user's sessions that have an open window here with recent activity. */
  async sessionsHeardOf(userId: string): Promise<string[]> {
    return this.#sockets.listActiveSessions(userId, Date.now());
  }

  /** Closes the sockets of a session that has ended, and refuses new ones. */
  async closeSockets(selector: SocketSelector): Promise<void> {
    this.#sockets.end(selector, Date.now());
    await this.#arm(this.#sockets.nextEnd);
  }

  /** Accepts a WebSocket upgrade. The Worker has already checked Origin. `accept` refuses an unknown session. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now();
    const accepted = this.#sockets.accept(new URL(request.url).searchParams, now);
    if (!accepted) return new Response(null, { status: 401 });
    accepted.server.send(JSON.stringify({ type: "hello", serverNow: now } satisfies BusinessMessage));
    await this.#arm(accepted.wakeAt);
    return accepted.response;
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(CLOSE.unexpectedMessage, "Nothing to say here");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    completeClose(socket, code);
  }

  override async alarm(): Promise<void> {
    this.#sockets.closeDue(Date.now());
    await this.#arm(this.#sockets.nextEnd);
  }

  /** Sets the alarm, unless an earlier one is set. */
  async #arm(at: number | null): Promise<void> {
    if (at === null) return;
    const current = await this.ctx.storage.getAlarm();
    if (current === null || current > at) await this.ctx.storage.setAlarm(at);
  }
}
