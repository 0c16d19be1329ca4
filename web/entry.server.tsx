import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";

import { requestContext } from "./lib/server-context.ts";

const RENDER_TIMEOUT_MS = 6_000;
export const streamTimeout = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const { nonce } = loadContext.get(requestContext);
  const body = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: AbortSignal.timeout(RENDER_TIMEOUT_MS),
      // React would hide a large boundary behind a script; documents have none to show it again.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        status = 500;
        console.error(JSON.stringify({ level: "error", event: "render_failed", message: String(error) }));
      },
    },
  );
  await body.allReady;
  return new Response(body, { status, headers });
}
