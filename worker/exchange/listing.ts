/** A lead's record on a region's market, and the words in which the machine speaks about it. */
import type { GONE_REASONS } from "../../contract/exchange.ts";
import type { PURCHASE_MODES } from "../../contract/purchases.ts";
import type { Region } from "../../contract/regions.ts";
import type { Payment } from "./payment.ts";

export type GoneReason = (typeof GONE_REASONS)[number];

export type Sale = {
  purchaseId: string;
  businessId: string;
  userId: string;
  mode: (typeof PURCHASE_MODES)[number];
  amountCents: number;
  soldAt: number;
  /** The hold and the payment it was bought with; absent when no card was charged. */
  holdId?: string;
  paymentIntentId?: string;
};

/**
 * A lead set aside for one business while it pays. Until a payment is attached nobody can pay: its
 * secret has not left the server.
 */
export type Hold = {
  holdId: string;
  businessId: string;
  userId: string;
  /** What will be charged, fixed when the hold began. */
  amountCents: number;
  heldAt: number;
  endsAt: number;
  /** When everybody is told of it at the latest; null once they have been. Holds of an older release have none. */
  announceAt?: number | null;
  /** Its business had paid for nothing before, and no operator had verified it. */
  isNewcomer?: boolean;
  paymentIntentId: string | null;
  /** Set while the payment is being taken back. */
  release: { cause: ReleaseCause; since: number; attempts: number } | null;
};

/** `failed` is our own doing and costs the business no waiting time. */
export type ReleaseCause = "lapsed" | "closed" | "failed";

/** An admin (null: the system) took the lead off this market: for good, or to trade it in another region. */
export type Departure = { byUserId: string | null; at: number; toRegion: Region | null };

/**
 * States a listing can be in. `held`: one business may pay. `releasing`: the hold is over, but its
 * payment could still succeed. `sold`, `withdrawn` and `expired` are final.
 */
export type ListingState = "available" | "held" | "releasing" | "sold" | "withdrawn" | "expired";

export type Listing = {
  leadId: string;
  /** Grows when an admin moves the lead to another region; commands of an older one are refused. */
  generation: number;
  /** Grows with every change; D1 takes over only newer versions. */
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
};

/** What a lead is listed, or kept off the market, with. */
export type Terms = Pick<Listing, "leadId" | "generation" | "priceCents" | "expiresAt">;

/** What an operator's run reads back of a lead's record. */
export type ListingRecord = Pick<
  Listing,
  "leadId" | "generation" | "version" | "state" | "priceCents" | "expiresAt" | "sale" | "departure"
> & {
  /** Whether its person was erased; D1 may have been restored to before that. */
  isErased: boolean;
};

/** What the exchange remembers of a business that asks for a hold. */
export type BuyerHistory = {
  /** When it last let this lead go. */
  releasedAt: number | null;
  /** When this business let go of leads here, by closing or by running out of time, within the last hour. */
  letGoAt: readonly number[];
  /** The lead for which this claim key was used before. */
  claimedLeadId: string | null;
  /** Whether new providers already hold their share of this region's free leads. False for any other business. */
  isShareTaken: boolean;
};

export type Command =
  | ({ type: "list" } & Terms)
  | {
      type: "sell";
      businessId: string;
      userId: string;
      mode: Sale["mode"];
      amountCents: number | null;
      purchaseId: string;
    }
  | {
      type: "hold";
      businessId: string;
      userId: string;
      holdId: string;
      /** What the buyer believes to pay. */
      amountCents: number;
      /** How long it has to pay, by what is known of the business. */
      holdMs: number;
      isNewcomer: boolean;
      claimKey: string | null;
      buyerHistory: BuyerHistory;
    }
  | { type: "attach"; holdId: string; paymentIntentId: string }
  | { type: "release"; holdId: string; cause: Exclude<ReleaseCause, "lapsed"> }
  /** Nobody has said for a while whether a hold will come to anything: everybody hears of it as it is. */
  | { type: "announce" }
  /** The hold's time may be over. */
  | { type: "lapse" }
  /** Stripe's word about a payment; `purchaseId` is used if it makes a sale. */
  | { type: "settle"; payment: Payment; purchaseId: string }
  /** Stripe did not say what became of the payment that is being taken back. */
  | { type: "unclear"; holdId: string }
  /** A person has looked at a hold that does not come to its end by itself: its lead returns whatever Stripe says. */
  | { type: "free" }
  /** With a region: the lead moves there and this exchange only remembers where it went. */
  | { type: "withdraw"; terms: Terms; byUserId: string | null; toRegion: Region | null }
  | { type: "expire" };

/** What the object has to do besides storing the listing. */
export type Effect =
  | { type: "announce_listed" }
  | { type: "announce_held"; until: number }
  | { type: "announce_held_at"; at: number }
  | { type: "announce_returned" }
  | { type: "announce_gone"; reason: GoneReason }
  /** D1 has to be told: status, and the sale if there is one. */
  | { type: "project" }
  /** Nobody may see the lead's summary here any more. */
  | { type: "forget_summary" }
  | { type: "wake_at"; at: number }
  | { type: "hold_ends_at"; at: number }
  /** The payment has to be cancelled, and asked about until that is certain. */
  | { type: "cancel_payment_at"; at: number }
  | { type: "remember_claim"; businessId: string; claimKey: string }
  | { type: "remember_release"; businessId: string; lapsed: boolean }
  /** A payment has resisted cancelling for too long: a person should look. */
  | { type: "alert_stuck" };

export type Refusal =
  | "unknown"
  | "taken"
  | "closed"
  | "outdated"
  /** Traded in another region now: ask there. */
  | "moved"
  /** The region is off the market for a while. */
  | "paused"
  | "price_changed"
  | "waiting"
  /** New providers hold their share of the region's free leads. */
  | "share_taken"
  | "key_reused"
  | "hold_ended"
  /** Paid, but no lead can be given for it: refund. */
  | "refund_late"
  /** Paid, but not what was agreed: refund, and tell the admins. */
  | "refund_mismatch";

export type Answer =
  | { ok: true; listing: Listing; repeated: boolean }
  /** `until`: when asking again makes sense. `region`: where a moved lead is traded. */
  | { ok: false; reason: Refusal; until?: number; region?: Region };

export type Decision = { listing: Listing | null; effects: Effect[]; answer: Answer };

export function refuse(listing: Listing | null, reason: Refusal, until?: number): Decision {
  return { listing, effects: [], answer: { ok: false, reason, ...(until !== undefined && { until }) } };
}

export function unchanged(listing: Listing): Decision {
  return { listing, effects: [], answer: { ok: true, listing, repeated: true } };
}

/** A changed record; its version grows by one. */
export function changed(before: Listing, change: Partial<Listing>, effects: Effect[]): Decision {
  const listing = { ...before, ...change, version: before.version + 1 };
  return { listing, effects, answer: { ok: true, listing, repeated: false } };
}

/** Takes a lead off the market for good. */
export function close(
  listing: Listing,
  state: GoneReason,
  why: { sale?: Sale; departure?: Departure } = {},
): Decision {
  const { sale = null, departure = null } = why;
  return changed(listing, { state, sale, departure, hold: null }, [
    { type: "announce_gone", reason: state },
    { type: "project" },
    { type: "forget_summary" },
  ]);
}

/** Takes a lead off the market before anybody was told that it was there. */
export function closeUnseen(listing: Listing, state: GoneReason, departure?: Departure): Decision {
  const closed = close(listing, state, departure ? { departure } : {});
  return { ...closed, effects: closed.effects.filter((effect) => effect.type !== "announce_gone") };
}

/** The answer about a lead that is neither for sale nor sold. */
export function refuseClosed(listing: Listing): Extract<Answer, { ok: false }> {
  const region = listing.departure?.toRegion;
  return region ? { ok: false, reason: "moved", region } : { ok: false, reason: "closed" };
}

/** Whether a lead has not left the market, though it may be held. */
export function isOpen(state: ListingState): state is "available" | "held" | "releasing" {
  return state === "available" || state === "held" || state === "releasing";
}

/** What D1 is told about a listing. Written once or ten times, the outcome is the same. */
export type Projection = Pick<Listing, "leadId" | "generation" | "version" | "state" | "sale" | "departure">;
