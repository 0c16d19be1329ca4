/** `/dev/messages`, on a developer's own machine only: what went out, as it would look. */
import { type Env, settings } from "../env.ts";
import { LOOPBACK } from "../loopback.ts";

const PATH = "/dev/messages";

/** What stands in an email comes in a frame of its own, in which nothing runs. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'; form-action 'self'";

/** Where a developer answers a text, as its visitor would. */
const REPLY = /^\/dev\/messages\/\d+\/reply$/;

/**
 * Answers `/dev/messages` from the stand-in that keeps what went out. Where there is none, and wherever the site has
 * another host than this machine's, there is no such page: production has neither.
 * @returns null for everything else
 */
export function devMessages(request: Request, env: Env): Promise<Response> | null {
  const { pathname, hostname, search } = new URL(request.url);
  if (pathname !== PATH && !pathname.startsWith(`${PATH}/`)) return null;
  const { messageStandIn } = settings(env);
  const isReply = request.method === "POST" && REPLY.test(pathname);
  if (!messageStandIn || !LOOPBACK.test(hostname) || (request.method !== "GET" && !isReply)) return null;
  return show(new URL(pathname + search, messageStandIn), request);
}

async function show(address: URL, { method, headers: asked, body }: Request): Promise<Response> {
  const form = method === "POST" && { body, headers: { "Content-Type": asked.get("Content-Type") ?? "" } };
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
