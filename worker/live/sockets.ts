import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { CLOSE, PING, PONG } from "../../contract/exchange.ts";

/**
 * Maximum time that D1's confirmation of a session is valid. After that the object closes the session's sockets, and
 * the windows reconnect with a new confirmation.
 */
const CONFIRMED_MS = HOUR_MS;

/**
 * Maximum time to subtract from CONFIRMED_MS, by session. It spreads the reconnects of windows that opened together.
 */
const SPREAD_MS = 20 * MINUTE_MS;

/** Expiry times are rounded down to this step, so that sessions share an alarm. */
const STEP_MS = 30_000;

/** An ended session stays in the table for this long, which is longer than an upgrade can be in transit. */
const ENDED_RETENTION_MS = HOUR_MS;

/** Maximum windows per user. Opening another closes the oldest. */
const MAX_SOCKETS_PER_USER = 8;

/**
 * A window without a ping for this long counts as inactive, such as on a phone in a pocket. Visible windows ping every
 * 25 seconds, hidden windows every minute.
 */
const INACTIVE_AFTER_MS = 70_000;

/** The owner of a socket, just confirmed in D1. */
export type SocketOwner = {
  userId: string;
  sessionId: string;
  /** Hash of the session's token, which identifies a returning window. */
  sessionHash: string;
  /** When the session itself expires (epoch ms). */
  endsAt: number;
};

/** Stored on the socket, so it survives hibernation. */
type Attachment = { userId: string; sessionId: string; openedAt: number };

/** Selects the sockets of one session. */
export type SocketSelector = { sessionId: string };

/** A Durable Object with open windows. */
export interface SocketHost {
  /** Closes the sockets of a session that has ended, and refuses new ones. */
  closeSockets: (selector: SocketSelector) => Promise<void>;
}

/** Response header of an accepted upgrade: the user's id. */
export const WINDOW_USER_HEADER = "Window-Of";

const userTag = (userId: string) => `user:${userId}`;
const sessionTag = (sessionId: string) => `session:${sessionId}`;

function upgrade(params: Record<string, string>, since: string | null): Request {
  const query = new URLSearchParams(since ? { ...params, since } : params);
  return new Request(`https://object.internal/live?${query}`, { headers: { Upgrade: "websocket" } });
}

/** Builds the upgrade request that the Worker sends after checking Origin and confirming the session in D1. */
export function upgradeRequest(owner: SocketOwner, since: string | null): Request {
  const { userId: user, sessionId: session, sessionHash: hash, endsAt } = owner;
  return upgrade({ user, session, hash, ends: String(endsAt) }, since);
}

/**
 * Builds the upgrade request of a returning window. The object accepts it if D1's confirmation of the session is still
 * valid.
 */
export function reconnectRequest(sessionHash: string, since: string | null): Request {
  return upgrade({ hash: sessionHash }, since);
}

/**
 * Returns when D1's confirmation of a session expires: at the session's own expiry, or in 40 to 60 minutes if that is
 * earlier. The exact time depends on the session's id, so it is the same for each attempt.
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

/** An accepted socket. */
export type Accepted = {
  /** The object's end of the socket, for the greeting. */
  server: WebSocket;
  response: Response;
  /** The new time to set the alarm to; null if unchanged. */
  wakeAt: number | null;
};

/**
 * Manages an object's hibernating sockets and a table of their sessions. The table stores when D1's confirmation of
 * each session expires, and which sessions have ended. An upgrade that arrives after its session ended is refused.
 */
export class LiveSockets {
  readonly #ctx: DurableObjectState;
  readonly #sql: SqlStorage;
  /** Whether the table exists. Created on first use, so that unused objects store nothing. */
  #hasTable: boolean;
  /** Cache of table rows by session hash, for windows that reconnected since the object woke. */
  readonly #confirmedByHash = new Map<string, { userId: string; sessionId: string; until: number }>();
  #nextEnd: number | null = null;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    this.#sql = ctx.storage.sql;
    // The runtime answers pings without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    this.#hasTable =
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'live_sessions'").toArray().length > 0;
    this.#readNextEnd();
  }

  /** When the next session expires here (epoch ms); null when the object has no sessions. */
  get nextEnd(): number | null {
    return this.#nextEnd;
  }

  /** The number of open windows. Takes linear time. */
  get count(): number {
    return this.#ctx.getWebSockets().length;
  }

  /**
   * Accepts a window's socket. Returns null if the session has ended, or if D1 has to confirm the session first.
   * @param searchParams from the Worker's upgrade request
   */
  accept(searchParams: URLSearchParams, now: number): Accepted | null {
    const before = this.#nextEnd;
    const owner = searchParams.has("user")
      ? this.#confirm(searchParams, now)
      : this.#findConfirmed(searchParams, now);
    if (!owner) return null;
    const others = this.#ctx.getWebSockets(userTag(owner.userId));
    if (others.length >= MAX_SOCKETS_PER_USER) {
      const oldest = others.toSorted((a, b) => openedAt(a) - openedAt(b));
      for (const socket of oldest.slice(0, others.length - MAX_SOCKETS_PER_USER + 1))
        socket.close(CLOSE.renew, "Too many windows");
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [userTag(owner.userId), sessionTag(owner.sessionId)]);
    const { userId, sessionId } = owner;
    server.serializeAttachment({ userId, sessionId, openedAt: now } satisfies Attachment);
    const headers = { [WINDOW_USER_HEADER]: owner.userId };
    const response = new Response(null, { status: 101, webSocket: client, headers });
    return { server, response, wakeAt: this.#nextEnd === before ? null : this.#nextEnd };
  }

  /** Stores D1's confirmation from the Worker's request, unless the session has ended since. */
  #confirm(params: URLSearchParams, now: number) {
    const [userId, sessionId] = [params.get("user")!, params.get("session")!];
    this.#createTable();
    const [known] = this.#sql
      .exec<{ until: number; ended: number }>(
        "SELECT until, ended FROM live_sessions WHERE session_id = ?",
        sessionId,
      )
      .toArray();
    if (known?.ended) return null;
    const endsAt = Number(params.get("ends"));
    const until = Math.min(endsAt, Math.max(known?.until ?? 0, confirmedUntil(sessionId, endsAt, now)));
    if (until <= now) return null;
    if (until !== known?.until) this.#write(sessionId, params.get("hash"), userId, until, false);
    return { userId, sessionId };
  }

  /** Returns the session of a returning window, if D1's confirmation is still valid. */
  #findConfirmed(params: URLSearchParams, now: number) {
    const hash = params.get("hash");
    if (!hash || !this.#hasTable) return null;
    const cached = this.#confirmedByHash.get(hash);
    if (cached) return cached.until > now ? cached : null;
    const [known] = this.#sql
      .exec<{ userId: string; sessionId: string; until: number }>(
        `SELECT user_id AS userId, session_id AS sessionId, until FROM live_sessions
         WHERE session_hash = ? AND until > ? AND NOT ended`,
        hash,
        now,
      )
      .toArray();
    if (!known) return null;
    this.#confirmedByHash.set(hash, known);
    return known;
  }

  /**
   * Returns the user's sessions that have an open window with recent activity. An open socket is not enough, because a
   * phone in a pocket keeps its socket open. Includes sessions of an admin who is impersonating the user.
   */
  listActiveSessions(userId: string, now: number): string[] {
    const active = this.#ctx.getWebSockets(userTag(userId)).filter((socket) => {
      const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
      return Math.max(pingedAt, openedAt(socket)) > now - INACTIVE_AFTER_MS;
    });
    return [...new Set(active.map((socket) => (socket.deserializeAttachment() as Attachment).sessionId))];
  }

  /** Closes the sockets of a session that has ended, and refuses new ones. */
  end({ sessionId }: SocketSelector, now: number): void {
    this.#createTable();
    this.#write(sessionId, null, "", now + ENDED_RETENTION_MS, true);
    this.#close(sessionId, CLOSE.signedOut, "Signed out");
  }

  /** Closes the sockets of sessions with an expired confirmation. */
  closeDue(now: number): void {
    if (this.#nextEnd === null || this.#nextEnd > now) return;
    const over = this.#sql
      .exec<{ sessionId: string }>(
        "DELETE FROM live_sessions WHERE until <= ? RETURNING session_id AS sessionId",
        now,
      )
      .toArray();
    this.#confirmedByHash.clear();
    for (const { sessionId } of over) this.#close(sessionId, CLOSE.renew, "Renew");
    this.#readNextEnd();
  }

  /** Sends text to every socket. A failing socket does not affect other sockets. */
  broadcast(text: string, now: number): void {
    this.closeDue(now);
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // The socket is closing. The window catches up when it reconnects.
      }
    }
  }

  #close(sessionId: string, code: number, reason: string): void {
    for (const socket of this.#ctx.getWebSockets(sessionTag(sessionId))) socket.close(code, reason);
  }

  #createTable(): void {
    if (this.#hasTable) return;
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
    this.#hasTable = true;
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
    this.#confirmedByHash.clear();
    this.#nextEnd = Math.min(this.#nextEnd ?? until, until);
  }

  #readNextEnd(): void {
    this.#nextEnd = this.#hasTable
      ? this.#sql.exec<{ until: number | null }>("SELECT min(until) AS until FROM live_sessions").one().until
      : null;
  }
}

/** Completes a close. Codes reserved for the protocol are replaced with 1000. */
export function completeClose(socket: WebSocket, code: number): void {
  try {
    socket.close(code);
  } catch {
    socket.close(1000);
  }
}
