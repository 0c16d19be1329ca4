import { DurableObject } from "cloudflare:workers";

import { type BusinessMessage, CLOSE } from "../../contract/exchange.ts";
import type { Env } from "../env.ts";
import {
  acceptSocket,
  answerClose,
  answerPings,
  broadcast,
  closeSelected,
  renewalTime,
  renewOldSockets,
  type SocketSelector,
} from "./sockets.ts";

type WithoutClock<Message> = Message extends unknown ? Omit<Message, "serverNow"> : never;

/** A message without its clock, which the room adds. */
type Notice = WithoutClock<Exclude<BusinessMessage, { type: "hello" }>>;

/** The open windows of one business: team mates see each other's changes. Owns no fact. */
export class BusinessRoom extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    answerPings(ctx);
  }

  /** Tells every window of the business; one that misses it catches up when it reconnects. */
  async notify(notice: Notice): Promise<void> {
    broadcast(this.ctx, JSON.stringify({ ...notice, serverNow: Date.now() } satisfies BusinessMessage));
  }

  /** Closes sockets whose owner lost the right to them. */
  async closeSockets(selector: SocketSelector): Promise<void> {
    closeSelected(this.ctx, selector);
  }

  /** The one WebSocket upgrade; the Worker has checked session and Origin. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now();
    const { server, client } = acceptSocket(this.ctx, request, now);
    server.send(JSON.stringify({ type: "hello", serverNow: now } satisfies BusinessMessage));
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(renewalTime(now));
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(CLOSE.unexpectedMessage, "Nothing to say here");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    answerClose(socket, code);
  }

  override async alarm(): Promise<void> {
    const next = renewOldSockets(this.ctx, Date.now());
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }
}
