import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { CLOSE, PING, PONG } from "../../contract/exchange.ts";

/** D1's word on a session is good for an hour at most: then its sockets end and come back with fresh word. */
const CONFIRMED_MS = HOUR_MS;

/** For some of them up to so much less: windows that came together do not all come back together. */
const SPREAD_MS = 20 * MINUTE_MS;

/** Ends that fall into one step share an alarm. */
const STEP_MS = 30_000;

/** An ended session is remembered for longer than an upgrade may be on its way. */
const ENDED_KEPT_MS = HOUR_MS;

/** More windows than this of one person: the oldest makes room. */
const SOCKETS_PER_USER = 8;

/** A window pings every 25 seconds, a hidden one once a minute; one that says nothing for longer is in a pocket. */
const SILENT_MS = 70_000;

/** Whose socket it is, on D1's word of this moment. */
export type SocketOwner = {
  userId: string;
  sessionId: string;
  /** Hash of the session's token: by it the object knows the window again. */
  sessionHash: string;
  /** When the session itself ends (epoch ms). */
  endsAt: number;
};

/** Survives hibernation on the socket. */
type Attachment = { userId: string; sessionId: string; openedAt: number };

/** Which sockets to close: those of one session. */
export type SocketSelector = { sessionId: string };

/** An object that windows are open at. */
export interface SocketHost {
  /** Closes sockets whose owner lost the right to them. */
  closeSockets: (selector: SocketSelector) => Promise<void>;
}

/** In the answer to an upgrade: whose window was let in. A release that knows nobody again names nobody. */
export const WINDOW_OF = "Window-Of";

const userTag = (userId: string) => `user:${userId}`;
const sessionTag = (sessionId: string) => `session:${sessionId}`;

function upgrade(params: Record<string, string>, since: string | null): Request {
  const query = new URLSearchParams(since ? { ...params, since } : params);
  return new Request(`https://object.internal/live?${query}`, { headers: { Upgrade: "websocket" } });
}

/** The upgrade the Worker sends to an object, after it has asked D1 about the session and checked Origin. */
export function upgradeRequest(owner: SocketOwner, since: string | null): Request {
  const { userId: user, sessionId: session, sessionHash: hash, endsAt } = owner;
  return upgrade({ user, session, hash, ends: String(endsAt) }, since);
}

/** The upgrade of a window that comes back: the object lets it in if it still has D1's word on the session. */
export function returningRequest(sessionHash: string, since: string | null): Request {
  return upgrade({ hash: sessionHash }, since);
}

/**
 * Until when D1's word on a session is good: its own end, or most of an hour from now. Which part of the
 * hour follows from the session's id, so that it differs from window to window but not from try to try.
 */
export function confirmedUntil(sessionId: string, endsAt: number, now: number): number {
  let spread = 0;
  for (const char of sessionId) spread = (spread * 31 + char.charCodeAt(0)) % SPREAD_MS;
  const end = now + CONFIRMED_MS - spread;
  return Math.min(endsAt, end - (end % STEP_MS));
}

function openedAt(socket: WebSocket): number {
  return (socket.deserializeAttachment() as Attachment | null)?.openedAt ?? 0;
}

/** An accepted window. */
export type Accepted = {
  /** The object's end, to greet. */
  server: WebSocket;
  response: Response;
  /** When the object has to wake, if that is sooner than it knew; else null. */
  wakeAt: number | null;
};

/**
 * The hibernating sockets of an object, and its book of the sessions they belong to: until when D1's word on
 * each is good, and which have ended. Whatever reaches the object after a session's end is refused by the
 * book, so an upgrade that was on its way meanwhile does not outlive it.
 */
export class LiveSockets {
  readonly #ctx: DurableObjectState;
  readonly #sql: SqlStorage;
  /** An object nobody was ever let into writes nothing. */
  #hasBook: boolean;
  /** What the book says, by the session's hash, of those who came since the object woke. */
  readonly #recalled = new Map<string, { userId: string; sessionId: string; until: number }>();
  #nextEnd: number | null = null;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    this.#sql = ctx.storage.sql;
    // Pings are answered by the runtime, without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    this.#hasBook =
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'live_sessions'").toArray().length > 0;
    this.#readNextEnd();
  }

  /** When the next session's time here is over (epoch ms); null when nobody is here. */
  get nextEnd(): number | null {
    return this.#nextEnd;
  }

  /** How many windows are open. Takes as long as there are many. */
  get count(): number {
    return this.#ctx.getWebSockets().length;
  }

  /**
   * Lets a window in, or answers null: its session has ended, or has to be asked about in D1 first.
   * @param searchParams of the upgrade that the Worker sent
   */
  accept(searchParams: URLSearchParams, now: number): Accepted | null {
    const before = this.#nextEnd;
    const owner = searchParams.has("user")
      ? this.#confirm(searchParams, now)
      : this.#recall(searchParams, now);
    if (!owner) return null;
    const others = this.#ctx.getWebSockets(userTag(owner.userId));
    if (others.length >= SOCKETS_PER_USER) {
      const oldest = others.toSorted((a, b) => openedAt(a) - openedAt(b));
      for (const socket of oldest.slice(0, others.length - SOCKETS_PER_USER + 1))
        socket.close(CLOSE.renew, "Too many windows");
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [userTag(owner.userId), sessionTag(owner.sessionId)]);
    const { userId, sessionId } = owner;
    server.serializeAttachment({ userId, sessionId, openedAt: now } satisfies Attachment);
    const headers = { [WINDOW_OF]: owner.userId };
    const response = new Response(null, { status: 101, webSocket: client, headers });
    return { server, response, wakeAt: this.#nextEnd === before ? null : this.#nextEnd };
  }

  /** D1's word, brought by the Worker: it goes into the book, unless the session has ended since. */
  #confirm(params: URLSearchParams, now: number) {
    const [userId, sessionId] = [params.get("user")!, params.get("session")!];
    this.#makeBook();
    const [known] = this.#sql
      .exec<{ until: number; ended: number }>(
        "SELECT until, ended FROM live_sessions WHERE session_id = ?",
        sessionId,
      )
      .toArray();
    if (known?.ended) return null;
    // The release before sends neither hash nor end.
    const endsAt = Number(params.get("ends") ?? Infinity);
    const until = Math.min(endsAt, Math.max(known?.until ?? 0, confirmedUntil(sessionId, endsAt, now)));
    if (until <= now) return null;
    if (until !== known?.until) this.#write(sessionId, params.get("hash"), userId, until, false);
    return { userId, sessionId };
  }

  /** A window of a session on which D1's word is still good. */
  #recall(params: URLSearchParams, now: number) {
    const hash = params.get("hash");
    if (!hash || !this.#hasBook) return null;
    const recalled = this.#recalled.get(hash);
    if (recalled) return recalled.until > now ? recalled : null;
    const [known] = this.#sql
      .exec<{ userId: string; sessionId: string; until: number }>(
        `SELECT user_id AS userId, session_id AS sessionId, until FROM live_sessions
         WHERE session_hash = ? AND until > ? AND NOT ended`,
        hash,
        now,
      )
      .toArray();
    if (!known) return null;
    this.#recalled.set(hash, known);
    return known;
  }

  /**
   * The sessions in which somebody has a window open that was heard of lately: a phone in a pocket keeps its socket. An
   * admin's who looks through their eyes are among them.
   */
  sessionsHeardOf(userId: string, now: number): string[] {
    const heard = this.#ctx.getWebSockets(userTag(userId)).filter((socket) => {
      const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
      return Math.max(pingedAt, openedAt(socket)) > now - SILENT_MS;
    });
    return [...new Set(heard.map((socket) => (socket.deserializeAttachment() as Attachment).sessionId))];
  }

  /** Closes the sockets of a session that is over, and lets no other in. */
  end({ sessionId }: SocketSelector, now: number): void {
    this.#makeBook();
    this.#write(sessionId, null, "", now + ENDED_KEPT_MS, true);
    this.#close(sessionId, CLOSE.signedOut, "Signed out");
  }

  /** Closes every socket, and forgets every word on a session: each window comes back with a fresh one. */
  forgetAll(): void {
    if (this.#hasBook) this.#sql.exec("DELETE FROM live_sessions");
    this.#recalled.clear();
    for (const socket of this.#ctx.getWebSockets()) socket.close(CLOSE.renew, "Renew");
    this.#readNextEnd();
  }

  /** Closes the sockets of sessions whose time here is over. */
  closeDue(now: number): void {
    if (this.#nextEnd === null || this.#nextEnd > now) return;
    const over = this.#sql
      .exec<{ sessionId: string }>(
        "DELETE FROM live_sessions WHERE until <= ? RETURNING session_id AS sessionId",
        now,
      )
      .toArray();
    this.#recalled.clear();
    for (const { sessionId } of over) this.#close(sessionId, CLOSE.renew, "Renew");
    this.#readNextEnd();
  }

  /** Sends one text to every socket; one that is gone does not keep it from the others. */
  broadcast(text: string, now: number): void {
    this.closeDue(now);
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // Closing; its owner reconnects and catches up.
      }
    }
  }

  #close(sessionId: string, code: number, reason: string): void {
    for (const socket of this.#ctx.getWebSockets(sessionTag(sessionId))) socket.close(code, reason);
  }

  #makeBook(): void {
    if (this.#hasBook) return;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS live_sessions (
        session_id TEXT PRIMARY KEY,
        session_hash TEXT,
        user_id TEXT NOT NULL,
        until INTEGER NOT NULL,
        ended INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS live_sessions_hash ON live_sessions (session_hash);
      CREATE INDEX IF NOT EXISTS live_sessions_until ON live_sessions (until);
    `);
    this.#hasBook = true;
  }

  #write(sessionId: string, hash: string | null, userId: string, until: number, ended: boolean): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO live_sessions (session_id, session_hash, user_id, until, ended) VALUES (?, ?, ?, ?, ?)`,
      sessionId,
      hash,
      userId,
      until,
      ended ? 1 : 0,
    );
    this.#recalled.clear();
    this.#nextEnd = Math.min(this.#nextEnd ?? until, until);
  }

  #readNextEnd(): void {
    this.#nextEnd = this.#hasBook
      ? this.#sql.exec<{ until: number | null }>("SELECT min(until) AS until FROM live_sessions").one().until
      : null;
  }
}

/** Answers a close. Codes that only the protocol may use are answered with a plain one. */
export function answerClose(socket: WebSocket, code: number): void {
  try {
    socket.close(code);
  } catch {
    socket.close(1000);
  }
}
