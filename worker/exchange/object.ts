/** The interface of a region's exchange. Every call but those for sockets ends in the state machine. */
import type { LeadSummary } from "../../contract/leads.ts";
import type { Region } from "../../contract/regions.ts";
import type { SocketHost } from "../live/sockets.ts";
import type { Answer, ListingRecord, ListingState, Sale, Terms } from "./listing.ts";
import type { Payment } from "./payment.ts";
import type { RecordsQuery, RedactedTexts } from "./records.ts";

export type ListInput = Terms & { summary: LeadSummary };
export type WithdrawInput = {
  /** As D1 has them, because the lead may never have come here. */
  terms: Terms;
  byUserId: string | null;
  /** The region that trades the lead from now on; null takes it off the market. */
  toRegion: Region | null;
};
export type SellInput = Pick<Sale, "businessId" | "userId" | "mode"> & {
  leadId: string;
  amountCents: number | null;
};
export type HoldInput = {
  leadId: string;
  businessId: string;
  userId: string;
  /** The price that the buyer expects. */
  amountCents: number;
  claimKey: string | null;
  /** The hold's id, if this call creates one. */
  holdId: string;
  /** How long the new hold lasts. A Worker of an older release does not send it. */
  holdMs?: number;
  /** Set for a new provider: the share of the region's free leads that new providers may hold together. */
  newcomerSharePercent?: number;
};

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
  /** Puts a lead on the market. A repeated call returns the lead's current state. */
  list: (input: ListInput) => Promise<Answer>;
  /** Sells a lead in one step, without a card. A repeated call by the same business returns its own sale. */
  sell: (input: SellInput) => Promise<Answer>;
  /** Sets a lead aside and refuses all other businesses. A repeated call by the same business returns its hold. */
  hold: (input: HoldInput) => Promise<Answer>;
  /** Attaches a payment to a hold. Refused when the hold is over: then the caller must cancel the payment. */
  attach: (leadId: string, holdId: string, paymentIntentId: string) => Promise<Answer>;
  /** Releases a held lead. If it could still be paid for, it returns only once that is ruled out. */
  release: (leadId: string, holdId: string, cause: "closed" | "failed") => Promise<Answer>;
  /** Releases every hold of a business here. @returns the number of holds */
  releaseBusiness: (businessId: string) => Promise<number>;
  /** Ends a hold if its time is over, in case the alarm has not. */
  lapse: (leadId: string) => Promise<Answer>;
  /** Returns a held lead to the market at an operator's request. @returns the hold that was ended; null for none */
  free: (leadId: string) => Promise<{ holdId: string | null }>;
  /** Applies a payment's status from Stripe. */
  settle: (payment: Payment) => Promise<Answer>;
  /** Pauses the region until an operator resumes it, whatever happens to D1. @returns whether it is paused */
  pause: (word: PauseWord) => Promise<boolean>;
  /** Resumes the region, unless its pause was requested after `askedAt` (epoch ms). @returns whether it is paused */
  resume: (askedAt: number) => Promise<boolean>;
  /** Returns the leads that are being bought, as far as their holds were broadcast. */
  listHolds: () => Promise<{ leadId: string; until: number }[]>;
  /** Returns how many leads are held or being released, announced or not. */
  countHolds: () => Promise<number>;
  /** Takes a lead off this market, for good or to another one. Held and sold leads stay. */
  withdraw: (input: WithdrawInput) => Promise<Answer>;
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
