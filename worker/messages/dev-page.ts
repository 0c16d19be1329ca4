/** `/dev/messages`, in local development only: shows sent messages as the recipient would see them. */
import type { Context } from "../platform/context.ts";
import { LOOPBACK } from "../platform/network.ts";

const PATH = "/dev/messages";

/** An email is shown in its own frame, without scripts. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'; form-action 'self'";

/** Where a developer replies to a text as the visitor. */
const REPLY = /^\/dev\/messages\/\d+\/reply$/;

/**
 * Serves `/dev/messages` from the stand-in that stores sent messages. The page exists only on localhost with a
 * stand-in, so never in production.
 * @returns null for every other request
 */
export function devMessages(request: Request, context: Context): Promise<Response> | null {
  const { pathname, hostname, search } = new URL(request.url);
  if (pathname !== PATH && !pathname.startsWith(`${PATH}/`)) return null;
  const { messageStandIn } = context.settings;
  const isReply = request.method === "POST" && REPLY.test(pathname);
  if (!messageStandIn || !LOOPBACK.test(hostname) || (request.method !== "GET" && !isReply)) return null;
  return forwardToStandIn(new URL(pathname + search, messageStandIn), request);
}

async function forwardToStandIn(
  address: URL,
  { method, headers: requestHeaders, body }: Request,
): Promise<Response> {
  const form = method === "POST" && {
    body,
    headers: { "Content-Type": requestHeaders.get("Content-Type") ?? "" },
  };
  const response = await fetch(address, { method, redirect: "manual", ...form });
  const location = response.headers.get("Location");
  const headers = {
    ...(location && { Location: location }),
    "Content-Type": response.headers.get("Content-Type") ?? "text/plain",
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
  };
  return new Response(response.body, { status: response.status, headers });
}
