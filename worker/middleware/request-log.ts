import { log } from "../platform/log.ts";

/** The log entry of a request. It has no IP address, query, cookie or body. */
export type RequestEntry = {
  method: string;
  /** The matched pattern, such as `/api/leads/:id/purchase`. The path itself may contain a secret. */
  route: string;
  status: number;
  ms: number;
  /** The session's user. `impersonatorId` is the super admin, if the user is being impersonated. */
  userId?: string | undefined;
  impersonatorId?: string | undefined;
};

/** Logged instead of a path that matches no route, because the path may contain anything. */
export const NO_ROUTE = "(none)";

export function logRequest(entry: RequestEntry): void {
  log(entry.status >= 500 ? "error" : "info", "request", entry);
}

const RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;

/** Returns Cloudflare's id of a request, or a new id. Every log line and problem response includes this id. */
export function requestIdOf(request: Request): string {
  const ray = request.headers.get("cf-ray");
  return ray && RAY.test(ray) ? ray : crypto.randomUUID();
}
