/** A lead's record on a region's market, and the state machine's types: commands, effects and answers. */
import type { OfferOutcome } from "../../contract/call-clock.ts";
import type { GONE_REASONS } from "../../contract/exchange.ts";
import type { PURCHASE_MODES } from "../../contract/purchases.ts";
import type { Region } from "../../contract/regions.ts";
import type { Payment } from "./ports.ts";

export type GoneReason = (typeof GONE_REASONS)[number];

export type Sale = {
  purchaseId: string;
  businessId: string;
  userId: string;
  mode: (typeof PURCHASE_MODES)[number];
  amountCents: number;
  soldAt: number;
  /** The hold and payment of the sale; absent if no card was charged. */
  holdId?: string;
  paymentIntentId?: string;
};

/**
 * A lead reserved for one business while it pays. Until a payment is attached the business cannot pay, because the
 * payment's secret has not left the server.
 */
export type Hold = {
  holdId: string;
  businessId: string;
  userId: string;
  /** The charge, fixed when the hold began. */
  amountCents: number;
  heldAt: number;
  endsAt: number;
  /** Deadline for the broadcast of the hold; null after the broadcast. */
  announceAt: number | null;
  /** Whether the business was new when the hold began: no purchase yet, and not verified by an operator. */
  isNewcomer?: boolean;
  paymentIntentId: string | null;
  /** Set while the payment is being cancelled. */
  release: { cause: ReleaseCause; since: number; attempts: number } | null;
};

/** `failed` is our fault, so the business does not have to wait. */
export type ReleaseCause = "lapsed" | "closed" | "failed";

/** Records that an admin (null: the system) withdrew the lead, or moved it to another region. */
export type Departure = { byUserId: string | null; at: number; toRegion: Region | null };

/** An offer of a rescued lead to one business. `outcome` is null while the offer is open. */
export type RescueOffer = {
  businessId: string;
  offeredAt: number;
  endsAt: number;
  outcome: OfferOutcome | null;
};

/** A lead that was rescued from a buyer who did not call. */
export type Rescue = {
  /** The first buyer, who cannot buy the lead. */
  excludedBusinessId: string;
  /** The businesses that get the next offers, in order. */
  queue: string[];
  /** The offers so far. Only the last can be open. While it is open, the lead is not on the public market. */
  offers: RescueOffer[];
};

/**
 * States a listing can be in. `held`: one business may pay. `releasing`: the hold is over, but the payment could still
 * succeed. `sold`, `withdrawn` and `expired` are final.
 */
type ListingState = "available" | "held" | "releasing" | "sold" | "withdrawn" | "expired";

export type Listing = {
  leadId: string;
  /** Increases when an admin moves the lead to another region. Commands of an older generation are refused. */
  generation: number;
  /** Increases with every change. D1 accepts only newer versions. */
  version: number;
  state: ListingState;
  priceCents: number;
  listedAt: number;
  expiresAt: number;
  sale: Sale | null;
  /** Set in `held` and `releasing`, and in no other state. */
  hold: Hold | null;
  /** Set in `withdrawn` only. */
  departure: Departure | null;
  /** Null for a lead that was not rescued. */
  rescue: Rescue | null;
};

/** The terms of a listing or a withdrawal. */
export type Terms = Pick<Listing, "leadId" | "generation" | "priceCents" | "expiresAt">;

/** The part of a lead's record that operator jobs read. */
export type ListingRecord = Pick<
  Listing,
  "leadId" | "generation" | "version" | "state" | "priceCents" | "expiresAt" | "sale" | "departure" | "rescue"
> & {
  /** Whether the lead's customer was erased. D1 may not show the erasure after a restore. */
  isErased: boolean;
  /** When the decision that D1 has not confirmed yet was queued (epoch ms); null if D1 has every decision. */
  queuedAt: number | null;
};

/** A business's history at this exchange, for its request for a hold. */
export type BuyerHistory = {
  /** When the business last released this lead; null if that was not within the last hour. */
  releasedAt: number | null;
  /** When the business closed a hold or let it lapse here, within the last hour. */
  releaseTimes: readonly number[];
  /** Whether new providers already hold their share of this region's free leads. False for any other business. */
  isShareTaken: boolean;
};

/** A command about one lead, with all the facts needed to decide it. Repeating a command changes nothing. */
export type Command =
  /**
   * Puts a lead on the market. A rescued lead is first offered to the businesses in `queue`, one after the other.
   * `knownVersion`: the version that D1 knows. An exchange that has lost its storage continues from it, so that D1
   * accepts its next decisions.
   */
  | ({
      type: "list";
      rescue?: Pick<Rescue, "excludedBusinessId" | "queue">;
      knownVersion?: number;
    } & Terms)
  /** Sells a lead in one step, without a card. Null takes the listed price. */
  | ({ type: "sell"; amountCents: number | null } & Pick<
      Sale,
      "businessId" | "userId" | "mode" | "purchaseId"
    >)
  /** Holds a lead for one business and refuses all others. */
  | {
      type: "hold";
      businessId: string;
      userId: string;
      /** The hold's ID, if this command creates one. */
      holdId: string;
      /** The price that the buyer expects. */
      amountCents: number;
      /** The time the business has to pay, in ms. Trusted businesses get longer. */
      holdMs: number;
      isNewcomer: boolean;
      /** Whether the business has paid for a lead before. If it loses this one, it may get the offer of a rescue. */
      hasPaid: boolean;
      buyerHistory: BuyerHistory;
    }
  /** Attaches a payment to a hold. Refused if the hold is over; the caller must then cancel the payment. */
  | { type: "attach"; holdId: string; paymentIntentId: string }
  /** Releases a held lead. If the payment could still succeed, the lead returns only after it is cancelled. */
  | { type: "release"; holdId: string; cause: Exclude<ReleaseCause, "lapsed"> }
  /** Broadcasts a hold that still has no payment. */
  | { type: "announce" }
  /** Ends a hold if its time is over. */
  | { type: "lapse" }
  /** Applies a payment's status from Stripe. `purchaseId` is used if it becomes a sale. */
  | ({ type: "settle"; purchaseId: string } & Payment)
  /** Retries a cancellation that has no outcome from Stripe yet. */
  | { type: "unclear"; holdId: string }
  /** Ends a stuck hold for an admin. The lead returns, regardless of the payment's status at Stripe. */
  | { type: "free"; holdId: string }
  /**
   * Takes a lead off this market. Held and sold leads stay. The terms come from D1, because this exchange may not have
   * the lead. If `toRegion` is set, the lead moves there, and this exchange keeps only a record of the move.
   */
  | ({
      type: "withdraw";
      byUserId: string | null;
      toRegion: Region | null;
      /** As for `list`. */
      knownVersion?: number;
    } & Terms)
  /**
   * Replaces the summary of a lead that is for sale, because the customer changed the request. Held and sold leads keep
   * their own. `isOutdated`: the exchange already has this revision or a later one.
   */
  | { type: "revise"; generation: number; isOutdated: boolean }
  | { type: "expire" }
  /** Ends an offer if its time is over. */
  | { type: "end_offer" };

/** A side effect that the object carries out, besides storing the listing. */
export type Effect =
  | { type: "announce_listed" }
  | { type: "announce_held"; until: number }
  | { type: "announce_held_at"; at: number }
  | { type: "announce_returned" }
  | { type: "announce_revised" }
  | { type: "announce_gone"; reason: GoneReason }
  /** Write the status to D1, and the sale if there is one. */
  | { type: "project" }
  /** Delete the lead's summary: providers may no longer see the lead here. */
  | { type: "forget_summary" }
  | { type: "wake_at"; at: number }
  | { type: "hold_ends_at"; at: number }
  | { type: "offer_ends_at"; at: number }
  /** Cancel the payment, and retry until its outcome is certain. */
  | { type: "cancel_payment_at"; at: number }
  | { type: "remember_release"; businessId: string; lapsed: boolean }
  /** Another business got the lead. Keep this one in case that business does not call the customer. */
  | { type: "remember_runner_up"; businessId: string }
  /** A payment could not be cancelled for too long: alert the admins. */
  | { type: "alert_stuck" };

export type Refusal =
  | "unknown"
  | "taken"
  | "closed"
  | "outdated"
  /** The lead has moved to another region; send the command there. */
  | "moved"
  /** The region is paused. */
  | "paused"
  | "price_changed"
  | "waiting"
  /** New providers hold their share of the region's free leads. */
  | "share_taken"
  | "hold_ended"
  /** The business had the request first and did not call the customer. */
  | "excluded"
  /** Paid, but the lead is not available: refund. */
  | "refund_late"
  /** Paid, but the payment differs from the hold: refund, and alert the admins. */
  | "refund_mismatch";

export type Answer =
  | { ok: true; listing: Listing; repeated: boolean }
  /**
   * `until`: when a retry makes sense. `isForAll`: until then the business may not hold any lead. `region`: the new
   * region of a moved lead.
   */
  | { ok: false; reason: Refusal; until?: number; isForAll?: true; region?: Region };

export type Decision = { listing: Listing | null; effects: Effect[]; answer: Answer };

export function refuse(listing: Listing | null, reason: Refusal, until?: number): Decision {
  return { listing, effects: [], answer: { ok: false, reason, ...(until !== undefined && { until }) } };
}

export function unchanged(listing: Listing): Decision {
  return { listing, effects: [], answer: { ok: true, listing, repeated: true } };
}

/** Returns the changed record, with its version increased by one. */
export function changed(before: Listing, change: Partial<Listing>, effects: Effect[]): Decision {
  const listing = { ...before, ...change, version: before.version + 1 };
  return { listing, effects, answer: { ok: true, listing, repeated: false } };
}

/** Returns the open offer of a lead; null if the lead is on the public market, or closed. */
export function openOffer({ rescue }: Pick<Listing, "rescue">): RescueOffer | null {
  const last = rescue?.offers.at(-1);
  return last?.outcome === null ? last : null;
}

/** Returns a rescue with its open offer ended. */
export function endOpenOffer(rescue: Rescue, outcome: OfferOutcome): Rescue {
  const offers = rescue.offers.map((offer) => (offer.outcome === null ? { ...offer, outcome } : offer));
  return { ...rescue, offers };
}

/** Takes a lead off the market permanently. */
export function close(
  listing: Listing,
  state: GoneReason,
  details: { sale?: Sale; departure?: Departure } = {},
): Decision {
  const { sale = null, departure = null } = details;
  const isBought = sale !== null && sale.businessId === openOffer(listing)?.businessId;
  const rescue = listing.rescue && endOpenOffer(listing.rescue, isBought ? "bought" : "ended");
  return changed(listing, { state, sale, departure, hold: null, rescue }, [
    { type: "announce_gone", reason: state },
    { type: "project" },
    { type: "forget_summary" },
  ]);
}

/** Takes a lead off the market before its listing was broadcast. */
export function closeUnannounced(listing: Listing, state: GoneReason, departure?: Departure): Decision {
  const closed = close(listing, state, departure ? { departure } : {});
  return { ...closed, effects: closed.effects.filter((effect) => effect.type !== "announce_gone") };
}

/** Returns the refusal for a lead that is neither for sale nor sold. */
export function refuseClosed(listing: Listing): Extract<Answer, { ok: false }> {
  const region = listing.departure?.toRegion;
  return region ? { ok: false, reason: "moved", region } : { ok: false, reason: "closed" };
}

/** Returns whether a lead is still on the market, held or not. */
export function isOpen(state: ListingState): state is "available" | "held" | "releasing" {
  return state === "available" || state === "held" || state === "releasing";
}

/** The part of a listing that is written to D1. The write is idempotent. */
export type Projection = Pick<
  Listing,
  "leadId" | "generation" | "version" | "state" | "sale" | "departure" | "rescue"
>;
