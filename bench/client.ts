/**
 * The buyers' clients: HTTP over keep-alive sockets, and minimal WebSockets that only record when a message
 * arrives.
 */
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** One request of a race. */
export type BenchRequest = { path: string; headers: Record<string, string>; body: string };
export type TimedResponse = { status: number; ms: number };

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
  send(benchRequest: BenchRequest, method = "POST", started = performance.now()): Promise<TimedResponse> {
    const { hostname, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const headers = {
        ...benchRequest.headers,
        ...(benchRequest.body && { "Content-Length": Buffer.byteLength(benchRequest.body) }),
      };
      const call = request(
        { agent: this.#agent, hostname, port, method, path: benchRequest.path, headers },
        (response) => {
          response.resume();
          response.on("end", () =>
            resolve({ status: response.statusCode!, ms: performance.now() - started }),
          );
        },
      );
      call.on("error", (error: NodeJS.ErrnoException) => {
        if (call.reusedSocket && error.code === "ECONNRESET")
          resolve(this.send(benchRequest, method, started));
        else reject(error);
      });
      call.end(benchRequest.body);
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
  receivedAt: number;
  onReceived: (() => void) | null;
  socket: Socket;
  /** The text of the server's first message; empty if the server sends none. */
  greeting: string;
};

/** Returns the text of a server's first frame (RFC 6455, section 5.2). Null until the whole frame has arrived. */
function readFrame(bytes: Buffer): string | null {
  const short = bytes[1] ?? 0;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return null;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : bytes.readUInt32BE(6);
  return bytes.length < start + length ? null : bytes.toString("utf8", start, start + length);
}

/** Opens a WebSocket and waits for the whole greeting, if the server sends one. */
export function openWindow(
  origin: string,
  path: string,
  headers: Record<string, string>,
  expectsGreeting: boolean,
): Promise<Window> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const window: Window = { receivedAt: 0, onReceived: null, socket, greeting: "" };
    let isOpen = false;
    let received = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      if (isOpen) {
        window.receivedAt = performance.now();
        window.onReceived?.();
        return;
      }
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!received.toString("latin1", 0, 12).startsWith("HTTP/1.1 101"))
        return reject(new Error(received.toString("latin1", 0, 200)));
      const greeting = readFrame(received.subarray(end + 4));
      if (expectsGreeting && greeting === null) return;
      isOpen = true;
      window.greeting = greeting ?? "";
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
export function waitForAllWindows(windows: readonly Window[]): { ms: Promise<number> } {
  const started = performance.now();
  let missing = windows.length;
  const ms = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${missing} windows received nothing`)), 20_000);
    for (const window of windows) {
      window.onReceived = () => {
        window.onReceived = null;
        missing -= 1;
        if (missing > 0) return;
        clearTimeout(timer);
        resolve(window.receivedAt - started);
      };
    }
  });
  return { ms };
}
