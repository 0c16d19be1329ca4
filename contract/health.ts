import type { Region } from "./regions.ts";

/** Whether a part works. "unknown": D1 or an exchange did not answer, so that we cannot say. */
export type PartHealth = boolean | "unknown";

/**
 * Response of GET /api/health, with status 200 when `ok` and 503 otherwise. Ages are milliseconds; null if they are
 * unknown.
 */
export type Health = {
  ok: boolean;
  /** The deployed version that responds. */
  version: { id: string; tag: string | null; deployedAt: string | null };
  database: { ok: boolean; ms: number };
  exchanges: {
    ok: boolean;
    /** Regions whose exchange did not respond in time. */
    unreachable: Region[];
    /** Response time of the slowest exchange that responded. */
    slowestMs: number;
  };
  /** Regions whose exchange lost its storage: D1 lists a lead that the exchange does not know. */
  market: { ok: PartHealth; forgotten: Region[] };
  /** Age of the oldest projection not yet written to D1; 0 when there is none. */
  outbox: { ok: PartHealth; oldestMs: number | null };
  /** Age of the oldest request waiting to be listed. Requests in paused regions do not count. */
  pending: { ok: PartHealth; oldestMs: number | null };
  /** Paused regions and the age of each pause. Not ok when an operator's command left a region paused. */
  pauses: { ok: PartHealth; regions: { region: Region; forMs: number }[] };
  /** Age of the oldest due message that may be sent now. A channel that is off or at its daily limit does not count. */
  messages: { ok: PartHealth; oldestMs: number | null };
};
