import { CLOSE, PING, PONG } from "../../contract/exchange.ts";

/** A socket ends after an hour, so that rights are looked at again. */
const SOCKET_MS = 60 * 60 * 1000;

/** More windows than this of one person: the oldest makes room. */
const SOCKETS_PER_USER = 8;

/** Whose socket it is; survives hibernation as the socket's attachment. */
export type SocketOwner = { userId: string; sessionId: string };
type Attachment = SocketOwner & { openedAt: number };

/** Which sockets to close: those of one session, or all of one user. */
export type SocketSelector = { sessionId: string } | { userId: string };

const userTag = (userId: string) => `user:${userId}`;
const sessionTag = (sessionId: string) => `session:${sessionId}`;

/** The upgrade request the Worker sends to an object, after it has checked session and Origin itself. */
export function upgradeRequest(owner: SocketOwner, since: string | null): Request {
  const url = new URL("https://object.internal/live");
  url.searchParams.set("user", owner.userId);
  url.searchParams.set("session", owner.sessionId);
  if (since) url.searchParams.set("since", since);
  return new Request(url, { headers: { Upgrade: "websocket" } });
}

/** Pings are answered by the runtime, without waking the object. */
export function answerPings(ctx: DurableObjectState): void {
  ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
}

function openedAt(socket: WebSocket): number {
  return (socket.deserializeAttachment() as Attachment | null)?.openedAt ?? 0;
}

/**
 * Accepts a hibernating socket for the owner named in `upgradeRequest`.
 * @returns the object's end, to greet, and the browser's end, to return with status 101
 */
export function acceptSocket(
  ctx: DurableObjectState,
  request: Request,
  now: number,
): { server: WebSocket; client: WebSocket } {
  const { searchParams } = new URL(request.url);
  const owner = { userId: searchParams.get("user")!, sessionId: searchParams.get("session")! };
  const others = ctx.getWebSockets(userTag(owner.userId)).toSorted((a, b) => openedAt(a) - openedAt(b));
  for (const oldest of others.slice(0, Math.max(0, others.length - SOCKETS_PER_USER + 1))) {
    oldest.close(CLOSE.renew, "Too many windows");
  }
  const { 0: client, 1: server } = new WebSocketPair();
  ctx.acceptWebSocket(server, [userTag(owner.userId), sessionTag(owner.sessionId)]);
  server.serializeAttachment({ ...owner, openedAt: now } satisfies Attachment);
  return { server, client };
}

/** Closes sockets whose owner lost the right to them. */
export function closeSelected(ctx: DurableObjectState, selector: SocketSelector): void {
  const tag = "sessionId" in selector ? sessionTag(selector.sessionId) : userTag(selector.userId);
  for (const socket of ctx.getWebSockets(tag)) socket.close(CLOSE.signedOut, "Signed out");
}

/**
 * Closes sockets older than an hour.
 * @returns when to look again (epoch ms); null when no socket is left
 */
export function renewOldSockets(ctx: DurableObjectState, now: number): number | null {
  let next: number | null = null;
  for (const socket of ctx.getWebSockets()) {
    const end = openedAt(socket) + SOCKET_MS;
    if (end <= now) socket.close(CLOSE.renew, "Renew");
    else next = Math.min(next ?? end, end);
  }
  return next;
}

/** When a socket opened now has to be renewed, in epoch ms. */
export function renewalTime(now: number): number {
  return now + SOCKET_MS;
}

/** Answers a close. Codes that only the protocol may use are answered with a plain one. */
export function answerClose(socket: WebSocket, code: number): void {
  try {
    socket.close(code);
  } catch {
    socket.close(1000);
  }
}

/** Sends one text to every socket; a socket that is gone does not keep it from the others. */
export function broadcast(ctx: DurableObjectState, text: string): void {
  for (const socket of ctx.getWebSockets()) {
    try {
      socket.send(text);
    } catch {
      // Closing; its owner reconnects and catches up.
    }
  }
}
