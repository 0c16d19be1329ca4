import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";

import { contextOf } from "../worker/platform/context.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { type Pages, serve } from "../worker/server.ts";
import { sessionCookie } from "./world.ts";

/**
 * The test's bindings, typed as the Worker sees them, but without the message queue. A real queue would
 * deliver to a Worker that does not have the test's settings. Queue tests use testing/queue.ts.
 */
export const testEnv = { ...(env as unknown as Bindings), MESSAGE_QUEUE: undefined } as unknown as Bindings;
export const testContext = contextOf(testEnv);
export const { db } = testContext;

const ORIGIN = "http://naturestrip.test";

let calls = 0;

/** Returns an IP address in a new network for each call, so that tests do not share a rate limit. */
function freshAddress(): string {
  calls += 1;
  return `2001:${(0xdb8 + (calls >> 16)).toString(16)}:${(calls & 0xffff).toString(16)}::1`;
}

type CallOptions = {
  cookie?: string | undefined;
  /** Sent as JSON unless it is text or a stream. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Cloudflare's data about the request's network. */
  cf?: CfProperties;
  /** The site's origin, such as one with https. */
  origin?: string;
};

function buildRequest(method: string, path: string, options: CallOptions): Request {
  const { cookie, body, headers, cf, origin = ORIGIN } = options;
  const isRaw = typeof body === "string" || body instanceof ReadableStream;
  return new Request(`${origin}${path}`, {
    method,
    redirect: "manual",
    headers: {
      Origin: origin,
      "CF-Connecting-IP": freshAddress(),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(cookie && { Cookie: cookie }),
      ...headers,
    },
    ...(cf && { cf }),
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
}

/** Calls the Worker's fetch handler. `cookie` authenticates the call. */
export function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return (exports as unknown as { default: Fetcher }).default.fetch(buildRequest(method, path, options));
}

const PAGES: Pages = { render: async () => new Response("page"), routeOf: async () => "/page" };

/** Calls a Worker with different settings. */
export async function callWith(
  changed: Partial<Bindings>,
  method: string,
  path: string,
  options: CallOptions = {},
  pages: Pages = PAGES,
): Promise<Response> {
  const ctx = createExecutionContext();
  const response = await serve(buildRequest(method, path, options), { ...testEnv, ...changed }, ctx, pages);
  await waitOnExecutionContext(ctx);
  return response;
}

/** Returns each table's row count. A rejected request must not change any. */
export async function rowCounts(): Promise<Record<string, number>> {
  const { results } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'd1%'",
  ).all<{ name: string }>();
  const parts = results.map(({ name }) => `(SELECT count(*) FROM "${name}") AS "${name}"`);
  return (await testEnv.DB.prepare(`SELECT ${parts.join(", ")}`).first<Record<string, number>>())!;
}

/** Signs a user in and returns a function that makes their calls. */
export async function callerFor(userId: string) {
  const cookie = await sessionCookie(db, userId);
  const as = (method: string, path: string, body?: unknown) => call(method, path, { cookie, body });
  return Object.assign(as, { cookie });
}
