/** The stand-in for Stripe as a server of its own, for the product as it is built. Runs in Node. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { StripeStandIn } from "./stripe-stand-in.ts";

async function requestOf(incoming: IncomingMessage, origin: string): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const body = method === "GET" ? null : Buffer.concat(chunks);
  return new Request(`${origin}${url}`, { method, headers, body });
}

/** Serves a stand-in on a free port. A call that it loses ends without an answer. */
export async function serveStripe(standIn: StripeStandIn): Promise<{ url: string; stop: () => void }> {
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const response = await standIn.fetch(await requestOf(incoming, "http://stripe.test"));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    } catch {
      outgoing.destroy();
    }
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
