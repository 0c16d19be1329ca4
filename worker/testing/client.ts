import { env, exports } from "cloudflare:workers";

import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { sessionCookie } from "./world.ts";

/** The test's bindings, typed as the Worker sees them. */
export const testEnv = env as unknown as Env;
export const db = database(testEnv.DB);

const ORIGIN = "http://naturestrip.test";

let calls = 0;

/** An address of its own for each call, so that no test runs into another one's rate limit. */
function freshAddress(): string {
  calls += 1;
  return `2001:db8::${calls.toString(16)}`;
}

/** Calls the Worker through its front door. `cookie` signs in; a body is sent as JSON unless it is text. */
export function call(
  method: string,
  path: string,
  options: { cookie?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { cookie, body, headers } = options;
  return (exports as unknown as { default: Fetcher }).default.fetch(`${ORIGIN}${path}`, {
    method,
    redirect: "manual",
    headers: {
      Origin: ORIGIN,
      "CF-Connecting-IP": freshAddress(),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(cookie && { Cookie: cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** A signed-in caller. */
export async function callerFor(userId: string) {
  const cookie = await sessionCookie(db, userId);
  const as = (method: string, path: string, body?: unknown) => call(method, path, { cookie, body });
  return Object.assign(as, { cookie });
}

/** Tries until `check` passes: for what happens after an answer was sent. */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = 5_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
