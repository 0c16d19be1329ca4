/** What a region's exchange can be asked, wherever it runs. Everything but its sockets ends in the machine. */
import type { LeadSummary } from "../../contract/leads.ts";
import type { Region } from "../../contract/regions.ts";
import type { SocketHost } from "../live/sockets.ts";
import type { Answer, ListingRecord, ListingState, Sale, Terms } from "./listing.ts";
import type { Payment } from "./payment.ts";
import type { RecordsQuery, RedactedTexts } from "./records.ts";

export type ListInput = Terms & { summary: LeadSummary };
export type WithdrawInput = {
  /** As D1 has them: what is withdrawn may never have come here. */
  terms: Terms;
  byUserId: string | null;
  /** Where the lead is traded from now on; null takes it off the market. */
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
  /** What the buyer believes to pay. */
  amountCents: number;
  claimKey: string | null;
  /** What the hold is called if this call makes one. */
  holdId: string;
  /** How long it lasts then; a Worker of an older release does not say. */
  holdMs?: number;
  /** For a new provider: how much of the region's free leads new providers may hold together. */
  newcomerSharePercent?: number;
};

/** Why a region is off the market for a while, and when that was asked for (epoch ms). */
export type PauseWord = { reason: string; at: number };

/** An exchange about to take its storage back. `undo` is the bookmark that takes this back in its turn. */
export type Rewinding = {
  undo: string;
  /** The instance that answered; the storage is taken back once it is gone. */
  instance: string;
};

/** One region's market, asked from outside. */
export interface ExchangeObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Puts a lead on the market. The same lead again answers with what became of it. */
  list: (input: ListInput) => Promise<Answer>;
  /** Sells a lead in one step, without a card. The same business again gets its own sale. */
  sell: (input: SellInput) => Promise<Answer>;
  /** Sets a lead aside while one business pays; everybody else is refused. The same business again gets its hold. */
  hold: (input: HoldInput) => Promise<Answer>;
  /** Notes a hold's payment. Refused when the hold is over: then the payment has to be cancelled. */
  attach: (leadId: string, holdId: string, paymentIntentId: string) => Promise<Answer>;
  /** Lets go of a held lead; if it could still be paid for, it returns once that is certain not to happen. */
  release: (leadId: string, holdId: string, cause: "closed" | "failed") => Promise<Answer>;
  /** Lets go of whatever a business holds here. @returns how many leads that were */
  releaseBusiness: (businessId: string) => Promise<number>;
  /** Ends a hold whose time is over, should the alarm not have done so. */
  lapse: (leadId: string) => Promise<Answer>;
  /** Gives a held lead back on an operator's word. @returns the hold that was ended, null when there was none */
  free: (leadId: string) => Promise<{ holdId: string | null }>;
  /** Takes in Stripe's word about a payment. */
  settle: (payment: Payment) => Promise<Answer>;
  /** Takes the region off the market until an operator opens it, whatever becomes of D1. @returns whether it is paused */
  pause: (word: PauseWord) => Promise<boolean>;
  /** Opens it again, unless its pause was asked for later than that (epoch ms). @returns whether it is paused */
  resume: (askedAt: number) => Promise<boolean>;
  /** The leads that are being bought just now, as far as windows were sent their holds. */
  listHolds: () => Promise<{ leadId: string; until: number }[]>;
  /** How many leads are held or being released, announced or not. */
  countHolds: () => Promise<number>;
  /** Takes a lead off this market, for good or to another one. Held and sold leads stay. */
  withdraw: (input: WithdrawInput) => Promise<Answer>;
  /** The Worker has written this version to D1 itself: the outbox need not. */
  acknowledge: (leadId: string, version: number) => Promise<void>;
  /**
   * Takes a person out of a lead: off the market, if it is there, and out of everything said of it. A
   * `list` still on its way finds a closed record.
   * @returns `erased` is false while somebody is paying for it, or when these terms are outdated
   */
  erase: (terms: Terms) => Promise<{ erased: boolean }>;
  /** Forgets what was said of a lead that this market has closed. */
  forget: (leadId: string) => Promise<void>;
  /** Says other words of these leads, wherever it said something of them; windows that are open keep what they show. */
  retell: (texts: RedactedTexts[]) => Promise<void>;
  /** A page of records that may have changed since a moment, for writing them into D1 again. */
  pageRecords: (query: RecordsQuery) => Promise<{ records: ListingRecord[]; next: string | null }>;
  /** Where leads stand here; those it never heard of are left out. */
  statesOf: (leadIds: string[]) => Promise<{ leadId: string; state: ListingState }[]>;
  /** That this exchange answers, and since when D1 has been waiting for its word (epoch ms; null: it is not). */
  pulse: () => Promise<{ outboxSince: number | null }>;
  /** The storage's state at a moment (epoch ms), by name; null where the platform keeps no history, or none so old. */
  bookmarkAt: (at: number) => Promise<string | null>;
  /** Has the storage taken back to a bookmark when the object restarts. Nothing has changed until then. */
  rewind: (bookmark: string) => Promise<Rewinding>;
  /**
   * Restarts the object: ends the named instance, whose caller hears an error, and returns once another one
   * answers.
   */
  restart: (instance: string) => Promise<void>;
  /**
   * Begins another history after a rewinding: off the market, for an operator to open, and unknown to every
   * window, so that each takes a snapshot. Nobody is let in on a word about their session from before.
   */
  beginAnew: (word: PauseWord) => Promise<void>;
}
