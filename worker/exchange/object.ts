/** The interface of a region's exchange. */
import type { LeadSummary } from "../../contract/leads.ts";
import type { SocketHost } from "../live/sockets.ts";
import type { Answer, Command, ListingRecord, Terms } from "./listing.ts";
import type { RecordsQuery } from "./records.ts";

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;

/** A command from the Worker. The exchange adds the facts that only it knows. */
export type MarketCommand = { leadId: string } & (
  | (Of<"list"> & { summary: LeadSummary })
  | Omit<Of<"sell">, "purchaseId">
  | (Omit<Of<"hold">, "isNewcomer" | "buyerHistory"> & {
      /** Set for a new provider: the percentage of the region's free leads that all new providers together may hold. */
      newcomerSharePercent?: number;
    })
  | Omit<Of<"settle">, "purchaseId">
  /** `revision`: increases with each change that the customer makes to this lead. */
  | (Omit<Of<"revise">, "isOutdated"> & { revision: number; summary: LeadSummary })
  | Of<"attach" | "release" | "lapse" | "free" | "withdraw">
);

/** The reason for a region's pause, and when the pause was requested (epoch ms). */
export type PauseRequest = { reason: string; at: number };

/** One region's exchange, as the Worker calls it. */
export interface ExchangeObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Decides a command in the state machine. A repeated command returns the lead's current state. */
  decide: (command: MarketCommand) => Promise<Answer>;
  /** Releases every hold of a business here. @returns the number of holds */
  releaseBusiness: (businessId: string) => Promise<number>;
  /** Pauses the region until an operator resumes it, even if D1 loses the pause. */
  pause: (pauseRequest: PauseRequest) => Promise<void>;
  /** Resumes the region. The exchange then ignores pauses from before `now` (epoch ms). */
  resume: (now: number) => Promise<void>;
  /** Returns the held leads, except those whose hold has not been broadcast yet. */
  listHolds: () => Promise<{ leadId: string; until: number }[]>;
  /** Confirms that the Worker has written this version to D1, so the outbox can drop it. */
  acknowledge: (leadId: string, version: number) => Promise<void>;
  /**
   * Erases a customer from a lead. Takes the lead off the market, and deletes its summary and history. A `list` that
   * arrives later finds a closed record.
   * @returns `erased` is false while a business is paying, if these terms are outdated, or if the lead has moved. After
   *   a move, call the new region, once D1 has the move
   */
  erase: (terms: Terms) => Promise<{ erased: boolean }>;
  /** Deletes the summary and history of a closed lead. */
  forget: (leadId: string) => Promise<void>;
  /** Returns a page of records that may have changed since a given time, to write to D1 again. */
  pageRecords: (query: RecordsQuery) => Promise<{ records: ListingRecord[]; next: string | null }>;
  /** Returns the records of leads. Omits leads that were never listed here. */
  recordsOf: (leadIds: string[]) => Promise<ListingRecord[]>;
  /** Returns the businesses whose claims of a sold lead were refused within a minute, in order. */
  runnersUp: (leadId: string) => Promise<string[]>;
  /** Health check. Returns when the oldest outbox entry was added (epoch ms); null if the outbox is empty. */
  outboxSince: () => Promise<number | null>;
}
