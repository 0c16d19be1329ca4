import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";

import { isFromIsland } from "./documents/form-state.ts";
import { reportContext, requestContext } from "./lib/server-context.ts";

const RENDER_TIMEOUT_MS = 6_000;
export const streamTimeout = 5_000;

/**
 * Logs errors from loaders, actions and React Router in the Worker's log. It skips statuses below 500: they are the
 * client's mistakes, the request log has them, and their message contains the path.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(reportContext)("page_failed", error);
};

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  if (isFromIsland(request)) {
    const [answer = null] = Object.values(routerContext.staticHandlerContext.actionData ?? {});
    return Response.json(answer, { status, headers });
  }
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const { nonce } = loadContext.get(requestContext);
  const body = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: AbortSignal.timeout(RENDER_TIMEOUT_MS),
      // React would hide a large boundary and reveal it with a script. Documents do not have that script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        status = 500;
        loadContext.get(reportContext)("render_failed", error);
      },
    },
  );
  await body.allReady;
  return new Response(body, { status, headers });
}
