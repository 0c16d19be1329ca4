import type { AdminChannel } from "./messages.ts";
import type { Region } from "./regions.ts";

/** Response of GET /api/health, with status 200 when `ok` and 503 otherwise. Ages are milliseconds. */
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
  market: { ok: boolean; forgotten: Region[] };
  /** Age of the oldest projection not yet written to D1; 0 when there is none. */
  outbox: { ok: boolean; oldestMs: number };
  /** Age of the oldest request waiting to be listed. Requests in paused regions do not count. */
  pending: { ok: boolean; oldestMs: number };
  /** Paused regions and the age of each pause. Not ok when an operator's command left a region paused. */
  pauses: { ok: boolean; regions: { region: Region; forMs: number }[] };
  /**
   * Age of the oldest due message, and the number of refused or failing messages; 100 means 100 or more. Ignores
   * channels that are off or not configured. `limitReached` lists channels that used up their daily limit while
   * messages wait. Those messages are not counted.
   */
  messages: { ok: boolean; oldestMs: number; failing: number; limitReached: AdminChannel[] };
};
