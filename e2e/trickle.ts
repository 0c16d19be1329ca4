/** A connection so slow that the browser paints a page while it is still loading. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";

/** Longer than a frame, so that the browser paints everything it has received. */
const PAUSE_MS = 60;

/** Cuts a document into chunks. Each cut follows a tag in the visible part. */
function pieces(html: string, count: number): string[] {
  const body = html.indexOf("<body");
  const length = Math.ceil((html.length - body) / count);
  const found: string[] = [];
  let start = 0;
  for (let wanted = body + length; start < html.length; wanted += length) {
    const cut = wanted < html.length ? html.indexOf(">", wanted) + 1 || html.length : html.length;
    if (cut > start) found.push(html.slice(start, cut));
    start = Math.max(start, cut);
  }
  return found;
}

/**
 * Serves a product's documents in chunks with a pause after each. Serves everything else unchanged.
 *
 * @param origin of the product, without a trailing slash
 * @param count number of chunks per document
 */
export async function startTrickle(origin: string, count: number) {
  const server = createServer(async (request, response) => {
    const upstream = await fetch(`${origin}${request.url}`);
    const headers = new Headers(upstream.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    response.writeHead(upstream.status, Object.fromEntries(headers));
    const isDocument = headers.get("content-type")?.startsWith("text/html");
    if (!isDocument) return response.end(new Uint8Array(await upstream.arrayBuffer()));
    for (const chunk of pieces(await upstream.text(), count)) {
      response.write(chunk);
      await after(PAUSE_MS);
    }
    return response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      // Browsers keep idle connections open.
      server.closeAllConnections();
      await closed;
    },
  };
}
