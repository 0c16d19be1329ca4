import { log } from "../log.ts";

/** What is remembered of a request: no address, no query, no cookie, no body. */
export type RequestEntry = {
  method: string;
  /** The pattern it matched, such as `/api/leads/:id/purchase`: what stands in its place may be secret. */
  route: string;
  status: number;
  ms: number;
  /** Whose session it came with, by id, and the super admin behind an impersonated one. */
  userId?: string | undefined;
  impersonatorId?: string | undefined;
};

/** What no pattern matches is not named: anybody can type anything there. */
export const NO_ROUTE = "(none)";

/** One line per request, under its request id. */
export function logRequest(entry: RequestEntry): void {
  log(entry.status >= 500 ? "error" : "info", "request", entry);
}

const RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;

/** Cloudflare's id of a request, or one of our own: it stands in every log line and in every problem. */
export function requestIdOf(request: Request): string {
  const ray = request.headers.get("cf-ray");
  return ray && RAY.test(ray) ? ray : crypto.randomUUID();
}
