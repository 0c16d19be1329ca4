import { log } from "../platform/log.ts";

/** What the log records of a request: no IP address, no query, no cookie, no body. */
export type RequestEntry = {
  method: string;
  /** The matched pattern, such as `/api/leads/:id/purchase`: the path itself may hold a secret. */
  route: string;
  status: number;
  ms: number;
  /** The session's user; while impersonating, also the super admin. */
  userId?: string | undefined;
  impersonatorId?: string | undefined;
};

/** Stands for a path that matches no pattern: a caller may type anything there. */
export const NO_ROUTE = "(none)";

export function logRequest(entry: RequestEntry): void {
  log(entry.status >= 500 ? "error" : "info", "request", entry);
}

const RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;

/** Returns Cloudflare's id of a request, or a new id. Every log line and every problem carries it. */
export function requestIdOf(request: Request): string {
  const ray = request.headers.get("cf-ray");
  return ray && RAY.test(ray) ? ray : crypto.randomUUID();
}
