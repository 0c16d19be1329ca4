import type { Db } from "../platform/db/client.ts";
import type { Projection } from "./listing.ts";

/**
 * `conflict`: D1 has another live purchase of this lead, which is never overwritten. D1 stops offering the lead, the
 * admins are alerted, and the payment is refunded.
 */
export type ProjectionOutcome = "written" | "conflict";

/** Writes an exchange's decision to D1, with the messages that it causes. @throws D1's errors, for a retry */
export type ProjectListing = (db: Db, projection: Projection, buyer: null) => Promise<ProjectionOutcome>;
