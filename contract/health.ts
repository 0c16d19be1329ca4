import type { AdminChannel } from "./messages.ts";
import type { Region } from "./regions.ts";

/** What GET /api/health answers, with status 200 when `ok` and 503 when not. Ages are milliseconds. */
export type Health = {
  ok: boolean;
  /** Which deployed version answers. */
  version: { id: string; tag: string | null; deployedAt: string | null };
  database: { ok: boolean; ms: number };
  exchanges: {
    ok: boolean;
    /** Regions whose exchange did not answer in time. */
    unreachable: Region[];
    /** How long the slowest that answered took. */
    slowestMs: number;
  };
  /** Regions whose exchange does not know a lead that D1 offers there: it has lost its storage. */
  market: { ok: boolean; forgotten: Region[] };
  /** How long D1 has been waiting for an exchange's word; 0 when it is not. */
  outbox: { ok: boolean; oldestMs: number };
  /** How long a request has been waiting to be listed; those of paused regions wait rightly. */
  pending: { ok: boolean; oldestMs: number };
  /** Regions off the market, each with its pause's age. Unwell when an operator's command left one paused. */
  pauses: { ok: boolean; regions: { region: Region; forMs: number }[] };
  /**
   * How long the oldest email or notification has been due, and how many are refused or tried in vain, of those
   * that can be sent here and are not switched off; 100 stands for more. `limitReached`: channels on which messages
   * wait because the operator's most a day is used up; those wait rightly, and are not counted.
   */
  messages: { ok: boolean; oldestMs: number; failing: number; limitReached: AdminChannel[] };
};
