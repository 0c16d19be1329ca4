/**
 * The buyers' clients: HTTP over keep-alive sockets, and minimal WebSockets that only record when a message
 * arrives.
 */
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** One request of a race. */
export type Shot = { path: string; headers: Record<string, string>; body: string };
export type Hit = { status: number; ms: number };

/** Sends requests to one server. Keeps `atOnce` sockets open for the client's lifetime. */
export class Client {
  readonly #agent: Agent;
  readonly #origin: URL;

  constructor(origin: string, atOnce: number) {
    this.#origin = new URL(origin);
    this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce, maxFreeSockets: atOnce });
  }

  /**
   * Sends a request and reads the whole response. Returns the milliseconds from sending to the last byte. If
   * the server closes a socket just as we reuse it, retries on a new one, as Node's documentation of
   * `reusedSocket` recommends.
   */
  send(shot: Shot, method = "POST", started = performance.now()): Promise<Hit> {
    const { hostname, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const headers = {
        ...shot.headers,
        ...(shot.body && { "Content-Length": Buffer.byteLength(shot.body) }),
      };
      const call = request(
        { agent: this.#agent, hostname, port, method, path: shot.path, headers },
        (response) => {
          response.resume();
          response.on("end", () =>
            resolve({ status: response.statusCode!, ms: performance.now() - started }),
          );
        },
      );
      call.on("error", (error: NodeJS.ErrnoException) => {
        if (call.reusedSocket && error.code === "ECONNRESET") resolve(this.send(shot, method, started));
        else reject(error);
      });
      call.end(shot.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * A subscriber to the live list. A minimal WebSocket, so that one machine can hold thousands beside the
 * measured process.
 */
export type Window = {
  heardAt: number;
  onHeard: (() => void) | null;
  socket: Socket;
  /** The first part of the greeting, as received. */
  greeting: string;
};

/** Opens a WebSocket and waits for its greeting, if the server sends one. */
export function openWindow(
  origin: string,
  path: string,
  headers: Record<string, string>,
  isGreeted: boolean,
): Promise<Window> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const window: Window = { heardAt: 0, onHeard: null, socket, greeting: "" };
    let isOpen = false;
    let head = "";
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      if (isOpen) {
        window.heardAt = performance.now();
        window.onHeard?.();
        return;
      }
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!head.startsWith("HTTP/1.1 101")) return reject(new Error(head.slice(0, 200)));
      const hasGreeting = head.length > end + 4;
      if (isGreeted && !hasGreeting) return;
      isOpen = true;
      window.greeting = head.slice(end + 4);
      resolve(window);
    });
    const lines = Object.entries({ ...headers, Upgrade: "websocket", Connection: "Upgrade" });
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n` +
        `${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
  });
}

/** Waits until every window has received a message. Returns the milliseconds from now until the last one. */
export function lastHeard(windows: readonly Window[]): { ms: Promise<number> } {
  const started = performance.now();
  let missing = windows.length;
  const ms = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${missing} windows received nothing`)), 20_000);
    for (const window of windows) {
      window.onHeard = () => {
        window.onHeard = null;
        missing -= 1;
        if (missing > 0) return;
        clearTimeout(timer);
        resolve(window.heardAt - started);
      };
    }
  });
  return { ms };
}
