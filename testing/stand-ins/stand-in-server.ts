/** Shared code of the stand-in servers for third-party services. Runs in Node. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";

/** The host in requests to a stand-in. */
const HOST = "http://stand-in.test";

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const body = method === "GET" ? null : Buffer.concat(chunks);
  return new Request(`${HOST}${url}`, { method, headers, body });
}

/**
 * Returns a stand-in script as browsers load it.
 *
 * @param file a TypeScript file in this folder; its types are removed
 */
export function browserScript(file: string): Response {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const script = `(() => {\n${stripTypeScriptTypes(source)}\n})();`;
  return new Response(script, { headers: { "Content-Type": "text/javascript; charset=utf-8" } });
}

/**
 * Serves a stand-in. If the stand-in throws, the call ends without a response.
 *
 * @param port 0 uses a free one
 */
export async function serveStandIn(
  standIn: (request: Request) => Response | Promise<Response>,
  port = 0,
): Promise<{ url: string; stop: () => void }> {
  async function handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const response = await standIn(await toRequest(incoming));
      // Browsers call it from the product's pages.
      const headers = { ...Object.fromEntries(response.headers), "Access-Control-Allow-Origin": "*" };
      outgoing.writeHead(response.status, headers);
      outgoing.end(await response.text());
    } catch {
      outgoing.destroy();
    }
  }
  const server = createServer((incoming, outgoing) => void handleRequest(incoming, outgoing));
  // By default Node closes a connection after five idle seconds. A call sent at that moment is lost. Its
  // retry is lost as well if all connections of a crowd close together.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    stop() {
      server.close();
      // A request that never gets a response would keep it open.
      server.closeAllConnections();
    },
  };
}
