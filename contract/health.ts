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
    /** Regions with an exchange that did not respond in time. */
    unreachable: Region[];
    /** Response time of the slowest exchange that did. */
    slowestMs: number;
  };
  /** Regions where the exchange does not know a lead that D1 lists. It has lost its storage. */
  market: { ok: boolean; forgotten: Region[] };
  /** How long D1 has been waiting for an exchange's projection; 0 when it is not. */
  outbox: { ok: boolean; oldestMs: number };
  /** Age of the oldest request that waits to be listed. Requests in paused regions do not count. */
  pending: { ok: boolean; oldestMs: number };
  /** Regions off the market, each with its pause's age. Not ok when an operator's command left a region paused. */
  pauses: { ok: boolean; regions: { region: Region; forMs: number }[] };
  /**
   * Age of the oldest due email or notification, and how many are refused or failing. Counts only messages that this
   * deployment can send and that are not switched off; 100 means 100 or more. `limitReached` lists channels with
   * messages that wait because the daily limit is used up. Those messages are not counted.
   */
  messages: { ok: boolean; oldestMs: number; failing: number; limitReached: AdminChannel[] };
};
