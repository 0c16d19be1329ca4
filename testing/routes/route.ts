/** The form of the table of all API routes. `testing/routes/api.ts` joins its parts. */
import type * as z from "zod/mini";

/** Kinds of callers. `provider` owns the requested rows, `stranger` owns another business. `team` works for the provider. */
export const ROUTE_CALLERS = ["visitor", "customer", "provider", "stranger", "team", "admin"] as const;

/** The status for each of `ROUTE_CALLERS`, in the world of `worker/roles.test.ts`. */
type Statuses = readonly [number, number, number, number, number, number];

export type ApiRoute = {
  /** Who gets what. 401 and 403 mean that the gate refuses the caller. */
  gets: Statuses;
  /** Whether an admin who impersonates a permitted caller is refused. */
  refusesImpersonation?: true;
  /** The schema of its JSON body. The attack generates bodies from it. */
  schema?: z.ZodMiniType;
  /** Returns a body that the route accepts. Absent if the route reads none, or reads a file or a signed body. */
  body?: () => Record<string, unknown>;
  /** The body's required fields. */
  required?: readonly string[];
  /** A wrong value for each required field, and for other fields worth testing. */
  wrong?: Readonly<Record<string, unknown>>;
  /** Other URLs to read, with `{provider}`, `{purchase}`, `{lead}` and `{payment}` for IDs. */
  examples?: readonly string[];
};

export type RouteTable = Readonly<Record<string, ApiRoute>>;

export const anyone = (status = 200): Statuses => [status, status, status, status, status, status];

export const signedIn = (status = 200): Statuses => [401, status, status, status, status, status];

/** Providers and their team members. @param others the status for other businesses' rows */
export const business = (status = 200, others = status): Statuses => [
  401,
  403,
  status,
  others,
  status,
  others,
];

/** Providers, but not their team members. @param others the status for other businesses' rows */
export const owner = (status = 200, others = status): Statuses => [401, 403, status, others, 403, others];

export const admin = (status = 200): Statuses => [401, 403, 403, 403, 403, status];
