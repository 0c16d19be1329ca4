/** Raw HTTP requests. Nothing is normalised, unlike in a browser or fetch. */
import { Agent, request } from "node:http";

import { ADDRESS_HEADER, ROWS_HEADER } from "./counting.ts";
import type { Target } from "./product.ts";

/** One request, serialisable as JSON so that it can be repeated. */
export type AttackRequest = {
  method: string;
  /** Path and query, exactly as in the request line. */
  path: string;
  headers: Record<string, string>;
  /** Bytes as latin1; null sends none. */
  body: string | null;
  /** Sent in chunks, without a Content-Length. */
  isChunked?: boolean;
};

export type AttackResponse = {
  status: number;
  headers: Record<string, string>;
  /** Everything the response reveals: its headers, then its body as UTF-8. */
  text: string;
  body: string;
  /** Number of changed rows by table. */
  rows: Record<string, number>;
  /** The runtime's CPU time in ms; NaN if the system does not report it. */
  cpuMs: number;
};

const TIMEOUT_MS = 20_000;

/** Converts text to the bytes of a shot. */
export const bytesOf = (text: string) => Buffer.from(text).toString("latin1");

let requests = 0;

/** Returns an address in a different network for each request. */
function freshAddress(): string {
  requests += 1;
  return `2001:${(0xdb8 + (requests >> 16)).toString(16)}:${(requests & 0xffff).toString(16)}::1`;
}

/** One keep-alive connection. Sends one request at a time. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @throws Error if there is no response in time, or the connection breaks twice */
  async send(shot: AttackRequest): Promise<AttackResponse> {
    const before = this.#target.cpuMs();
    // The server may close a keep-alive connection at any moment: retry once.
    const { status, headers, raw, body } = await this.#exchange(shot).catch(() => this.#exchange(shot));
    const cpuMs = this.#target.cpuMs() - before;
    const rows = JSON.parse(headers[ROWS_HEADER] ?? "{}") as Record<string, number>;
    return { status, headers, body, text: `${raw}\n${body}`, rows, cpuMs };
  }

  #exchange({ method, path, headers, body, isChunked }: AttackRequest) {
    const { hostname, port } = new URL(this.#target.url);
    const bytes = body === null ? null : Buffer.from(body, "latin1");
    const sent = {
      [ADDRESS_HEADER]: freshAddress(),
      ...headers,
      ...(bytes && !isChunked && { "Content-Length": String(bytes.length) }),
      ...(bytes && isChunked && { "Transfer-Encoding": "chunked" }),
    };
    return new Promise<{ status: number; headers: Record<string, string>; raw: string; body: string }>(
      (resolve, reject) => {
        const call = request(
          { agent: this.#agent, hostname, port, method, path, headers: sent, timeout: TIMEOUT_MS },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
            incoming.on("error", reject);
            incoming.on("end", () => {
              const found = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
              resolve({
                status: incoming.statusCode!,
                headers: Object.fromEntries(found) as Record<string, string>,
                raw: incoming.rawHeaders.join("\n"),
                body: Buffer.concat(chunks).toString(),
              });
            });
          },
        );
        call.on("upgrade", (incoming, socket) => {
          socket.destroy();
          resolve({ status: incoming.statusCode!, headers: {}, raw: "", body: "" });
        });
        call.on("timeout", () => call.destroy(new Error("No response in time")));
        call.on("error", reject);
        call.end(bytes ?? undefined);
      },
    );
  }

  close(): void {
    this.#agent.destroy();
  }
}
