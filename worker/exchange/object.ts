/** The interface of a region's exchange. */
import type { LeadSummary } from "../../contract/leads.ts";
import type { SocketHost } from "../live/sockets.ts";
import type { Answer, Command, ListingRecord, ListingState, Terms } from "./listing.ts";
import type { RecordsQuery, RedactedTexts } from "./records.ts";

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;

/** A command from the Worker. The exchange adds the facts that only it knows. */
export type MarketCommand = { leadId: string } & (
  | (Of<"list"> & { summary: LeadSummary })
  | Omit<Of<"sell">, "purchaseId">
  | (Omit<Of<"hold">, "isNewcomer" | "buyerHistory"> & {
      /** Set for a new provider: the share of the region's free leads that new providers may hold together. */
      newcomerSharePercent?: number;
    })
  | Omit<Of<"settle">, "purchaseId">
  | Of<"attach" | "release" | "lapse" | "free" | "withdraw">
);

/** The reason for a region's pause, and when the pause was requested (epoch ms). */
export type PauseWord = { reason: string; at: number };

/** An exchange that is about to restore its storage. `undo` is the bookmark that reverts the restore. */
export type Rewinding = {
  undo: string;
  /** The instance that answered. The storage is restored once that instance is gone. */
  instance: string;
};

/** One region's exchange, as the Worker calls it. */
export interface ExchangeObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Decides a command in the state machine. A repeated command returns the lead's current state. */
  decide: (command: MarketCommand) => Promise<Answer>;
  /** Releases every hold of a business here. @returns the number of holds */
  releaseBusiness: (businessId: string) => Promise<number>;
  /** Pauses the region until an operator resumes it, whatever happens to D1. @returns whether it is paused */
  pause: (word: PauseWord) => Promise<boolean>;
  /** Resumes the region, unless its pause was requested after `askedAt` (epoch ms). @returns whether it is paused */
  resume: (askedAt: number) => Promise<boolean>;
  /** Returns the leads that are being bought, as far as their holds were broadcast. */
  listHolds: () => Promise<{ leadId: string; until: number }[]>;
  /** Returns how many leads are held or being released, announced or not. */
  countHolds: () => Promise<number>;
  /** Confirms that the Worker has written this version to D1, so the outbox need not. */
  acknowledge: (leadId: string, version: number) => Promise<void>;
  /**
   * Erases a customer from a lead. Takes the lead off the market, and deletes its summary and history. A `list` that is
   * still on its way finds a closed record.
   * @returns `erased` is false while a business pays, when these terms are outdated, or when the lead has moved. After
   *   a move, ask the new region, once D1 knows of it
   */
  erase: (terms: Terms) => Promise<{ erased: boolean }>;
  /** Deletes the summary and history of a lead that this market has closed. */
  forget: (leadId: string) => Promise<void>;
  /** Replaces the texts of these leads wherever the exchange stores them. Connected clients keep what they show. */
  retell: (texts: RedactedTexts[]) => Promise<void>;
  /** Returns a page of records that may have changed since a moment, for writing them to D1 again. */
  pageRecords: (query: RecordsQuery) => Promise<{ records: ListingRecord[]; next: string | null }>;
  /** Returns the states of leads. Leads that were never listed here are left out. */
  statesOf: (leadIds: string[]) => Promise<{ leadId: string; state: ListingState }[]>;
  /** Health check. `outboxSince`: when the oldest outbox entry was added (epoch ms); null for no entry. */
  pulse: () => Promise<{ outboxSince: number | null }>;
  /** Returns the bookmark of the storage at a moment (epoch ms). Null where the platform keeps no history that old. */
  bookmarkAt: (at: number) => Promise<string | null>;
  /** Schedules the restore of the storage to a bookmark, for the object's restart. Nothing changes until then. */
  rewind: (bookmark: string) => Promise<Rewinding>;
  /**
   * Restarts the object. Ends the named instance, and the caller of that instance receives an error. Returns once
   * another instance answers.
   */
  restart: (instance: string) => Promise<void>;
  /**
   * Begins a new history after a restore. The region stays off the market until an operator resumes it. No client's
   * position is in the new history, so each client takes a snapshot. Session records from before the restore admit no
   * client.
   */
  beginAnew: (word: PauseWord) => Promise<void>;
}
