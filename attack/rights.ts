/** Compares responses with the table of all routes, `testing/routes`. */
import { API_ROUTES } from "../testing/routes/api.ts";
import { ROUTE_CALLERS } from "../testing/routes/route.ts";
import { CALLERS, type CallerKind } from "./people.ts";

/** The permitted callers of each API route. A deactivated provider has a visitor's rights. */
export const RIGHTS: ReadonlyMap<string, readonly CallerKind[]> = new Map(
  Object.entries(API_ROUTES).map(([route, { gets, refusesImpersonation }]) => {
    const passes = (caller: (typeof ROUTE_CALLERS)[number]) =>
      ![401, 403].includes(gets[ROUTE_CALLERS.indexOf(caller)]!);
    const allowed: CallerKind[] = ROUTE_CALLERS.filter(passes);
    if (passes("provider") && !refusesImpersonation) allowed.push("impersonating");
    if (passes("visitor")) allowed.push("deactivated");
    return [route, allowed];
  }),
);

/** Returns the callers that a route must not refuse. Only admin pages refuse callers. */
export function allowedCallers(route: string): readonly CallerKind[] {
  const path = route.slice(route.indexOf(" ") + 1).replace(/\.data$/, "");
  if (path.startsWith("/api/")) return RIGHTS.get(route) ?? [];
  return path === "/admin" || path.startsWith("/admin/") ? ["admin"] : CALLERS;
}

/** Error codes with which a gate refuses a caller. Other refusals depend on the request. */
const GATE_CODES = new Set([
  "unauthenticated",
  "forbidden",
  "impersonating",
  "must_change_password",
  "passkey_needed",
]);

/**
 * Compares a response with the access table.
 *
 * @param code the response's error code, or "" if it has none
 * @returns a description of the difference; null if there is none
 */
export function findWrongAccess(
  route: string,
  caller: CallerKind,
  { status, code }: { status: number; code: string },
): string | null {
  if (allowedCallers(route).includes(caller))
    return GATE_CODES.has(code) && status < 500 ? `refused with ${status} ${code}` : null;
  const expected = caller === "visitor" || caller === "deactivated" ? 401 : 403;
  return status === expected ? null : `answered ${status}, not ${expected}`;
}
