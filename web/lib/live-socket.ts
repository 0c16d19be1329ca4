import { CLOSE, PING, PONG } from "../../contract/exchange.ts";
import { backoffMs } from "./backoff.ts";

const PING_MS = 25_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** If a socket has to renew sooner than this, another window of the same user evicted it. */
const CROWDED_MS = 60_000;

export type SocketState = "connecting" | "live" | "reconnecting" | "offline";

/** What to do after a frame: continue, or reconnect with a new path. */
export type FrameVerdict = "ok" | "reconnect";

export type LiveSocketOptions = {
  /**
   * Returns the path and query of the socket. Called before each attempt, because the path may contain the cursor to
   * resume from.
   */
  path: () => string;
  onFrame: (text: string) => FrameVerdict;
  /** Called with each new state; null once the socket has ended. */
  onState: (state: SocketState | null) => void;
  /** Called to check the session after access ended or after repeated refusals. */
  onSessionDoubt: () => void;
};

/**
 * Returns the delay before an attempt: exponential backoff with full jitter. So windows do not all reconnect at the
 * same time.
 * @param random this window's position within the delay, 0 to 1
 * @param spreadMs period over which the server last asked all windows to reconnect
 */
export function reconnectDelayMs(attempt: number, random: number, spreadMs: number): number {
  return random * Math.max(spreadMs, backoffMs(attempt, FIRST_DELAY_MS, MAX_DELAY_MS));
}

/** Maximum spread, even if a server asks for more. */
const MAX_SPREAD_MS = 2 * MAX_DELAY_MS;

const reconnectSpreads = new Map<string, number>();
let spreadMs = 0;
/**
 * This page's position in the spread. All its sockets share the position, because the first to connect wakes the
 * others.
 */
const place = Math.random();

/** Sets the period over which a region's windows reconnect if all of them drop together. */
export function setReconnectSpread(region: string, ms: number): void {
  reconnectSpreads.set(region, ms);
  spreadMs = Math.min(Math.max(...reconnectSpreads.values()), MAX_SPREAD_MS);
}

/** Sockets waiting for their next attempt. When one socket connects, the others connect at once. */
const waiting = new Set<{ wake: () => void }>();

/**
 * A persistent WebSocket. It pings, detects silence, and reconnects after a drop. It reconnects at once when the
 * network returns or the window becomes visible.
 */
export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #receivedSincePing = true;
  #wasLive = false;
  #connectedAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #ended = false;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
    addEventListener("online", this.wake);
    addEventListener("offline", this.#sleep);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  end(): void {
    this.#ended = true;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.#sleep);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#drop();
    this.#options.onState(null);
  }

  /** Reconnects at once, unless connected or hidden. */
  readonly wake = () => {
    if (document.visibilityState === "hidden" || this.#socket) return;
    this.#attempt = 0;
    this.#connect();
  };

  readonly #sleep = () => {
    this.#drop();
    this.#options.onState("offline");
  };

  #drop(): void {
    clearTimeout(this.#retry);
    waiting.delete(this);
    clearInterval(this.#pinger);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect(): void {
    this.#drop();
    if (this.#ended) return;
    if (!navigator.onLine) {
      this.#options.onState("offline");
      return;
    }
    this.#options.onState(this.#wasLive || this.#attempt > 0 ? "reconnecting" : "connecting");
    const url = new URL(this.#options.path(), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    let opened = false;
    this.#socket = socket;
    this.#connectedAt = performance.now();
    socket.addEventListener("open", () => {
      opened = true;
    });
    socket.addEventListener("message", (event) => {
      if (this.#socket === socket) this.#receive(String(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (this.#socket === socket) this.#lost(event.code, opened);
    });
    this.#receivedSincePing = true;
    this.#pinger = setInterval(() => this.#ping(), PING_MS);
  }

  #ping(): void {
    if (!this.#receivedSincePing) return this.#lost(1006, true);
    this.#receivedSincePing = false;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(PING);
  }

  #receive(text: string): void {
    this.#receivedSincePing = true;
    if (text === PONG) return;
    if (this.#options.onFrame(text) === "reconnect") return this.#lost(1000, true);
    // A socket is live only after it has received a greeting.
    this.#attempt = 0;
    this.#wasLive = true;
    this.#options.onState("live");
    for (const other of waiting) other.wake();
  }

  #lost(code: number, opened: boolean): void {
    this.#drop();
    if (code === CLOSE.signedOut) {
      this.#options.onSessionDoubt();
      // If the session is valid after all (a sign-in in another tab), a later attempt succeeds.
      this.#attempt = 4;
    }
    if (code === CLOSE.renew) {
      // Reconnect at once, unless the user's windows keep evicting each other.
      if (performance.now() - this.#connectedAt > CROWDED_MS) return this.#connect();
      this.#attempt = 6;
    }
    this.#options.onState(navigator.onLine ? "reconnecting" : "offline");
    // A refused upgrade looks like any other failure here, so sometimes check the session.
    if (!opened && this.#attempt % 4 === 2) this.#options.onSessionDoubt();
    waiting.add(this);
    const random = this.#attempt === 0 ? place : Math.random();
    this.#retry = setTimeout(() => this.#connect(), reconnectDelayMs(this.#attempt++, random, spreadMs));
  }
}
