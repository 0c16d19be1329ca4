/**
 * The state machine of a lead on the market: (listing, command, now) → (listing, effects, answer).
 * Pure: no clock, no randomness, no storage. The Durable Object around it stores the listing, carries
 * out the effects and returns the answer.
 */
import type { GONE_REASONS } from "../../contract/exchange.ts";
import type { PURCHASE_MODES } from "../../contract/purchases.ts";

export type GoneReason = (typeof GONE_REASONS)[number];

export type Sale = {
  purchaseId: string;
  businessId: string;
  userId: string;
  mode: (typeof PURCHASE_MODES)[number];
  amountCents: number;
  soldAt: number;
};

/** States a listing can be in. `sold`, `withdrawn` and `expired` are final. */
export type ListingState = "available" | "sold" | "withdrawn" | "expired";

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
};

export type Command =
  | { type: "list"; leadId: string; generation: number; priceCents: number; expiresAt: number }
  | {
      type: "sell";
      businessId: string;
      userId: string;
      mode: Sale["mode"];
      amountCents: number | null;
      purchaseId: string;
    }
  | { type: "withdraw" }
  | { type: "expire" };

/** What the object has to do besides storing the listing. */
export type Effect =
  | { type: "announce_listed" }
  | { type: "announce_gone"; reason: GoneReason }
  /** D1 has to be told: status, and the sale if there is one. */
  | { type: "project" }
  /** Nobody may see the lead's summary here any more. */
  | { type: "forget_summary" }
  | { type: "wake_at"; at: number };

export type Answer =
  | { ok: true; listing: Listing; repeated: boolean }
  | { ok: false; reason: "unknown" | "taken" | "closed" | "outdated" };

export type Decision = { listing: Listing | null; effects: Effect[]; answer: Answer };

function refuse(listing: Listing | null, reason: "unknown" | "taken" | "closed" | "outdated"): Decision {
  return { listing, effects: [], answer: { ok: false, reason } };
}

function unchanged(listing: Listing): Decision {
  return { listing, effects: [], answer: { ok: true, listing, repeated: true } };
}

function changed(listing: Listing, effects: Effect[]): Decision {
  return { listing, effects, answer: { ok: true, listing, repeated: false } };
}

/** Takes a lead off the market for good. */
function close(listing: Listing, state: GoneReason, sale: Sale | null): Decision {
  return changed({ ...listing, state, sale, version: listing.version + 1 }, [
    { type: "announce_gone", reason: state },
    { type: "project" },
    { type: "forget_summary" },
  ]);
}

function list(listing: Listing | null, command: Extract<Command, { type: "list" }>, now: number): Decision {
  // A late or repeated `list` never revives a lead: closed leads keep their record as a tombstone.
  if (listing && command.generation < listing.generation) return refuse(listing, "outdated");
  if (listing && command.generation === listing.generation) return unchanged(listing);
  // Sold is for ever, in every generation.
  if (listing?.state === "sold") return unchanged(listing);
  if (listing?.state === "available") return refuse(listing, "outdated");
  const { leadId, generation, priceCents, expiresAt } = command;
  const version = (listing?.version ?? 0) + 1;
  const fresh: Listing = {
    leadId,
    generation,
    version,
    state: "available",
    priceCents,
    listedAt: now,
    expiresAt,
    sale: null,
  };
  if (expiresAt <= now) {
    // Never on the market, so nobody has to hear that it left.
    const expired = close(fresh, "expired", null);
    return { ...expired, effects: expired.effects.filter((effect) => effect.type !== "announce_gone") };
  }
  return changed(fresh, [{ type: "announce_listed" }, { type: "wake_at", at: expiresAt }]);
}

function sell(listing: Listing | null, command: Extract<Command, { type: "sell" }>, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  if (listing.state === "sold") {
    return listing.sale?.businessId === command.businessId ? unchanged(listing) : refuse(listing, "taken");
  }
  if (listing.state !== "available") return refuse(listing, "closed");
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired", null);
    return { ...expired, answer: { ok: false, reason: "closed" } };
  }
  const { businessId, userId, mode, purchaseId } = command;
  // The price was fixed when the lead was listed; only a free claim or assignment names another amount.
  const amountCents = command.amountCents ?? listing.priceCents;
  return close(listing, "sold", { purchaseId, businessId, userId, mode, amountCents, soldAt: now });
}

function withdraw(listing: Listing | null): Decision {
  if (!listing) return refuse(null, "unknown");
  if (listing.state === "sold") return refuse(listing, "taken");
  return listing.state === "available" ? close(listing, "withdrawn", null) : unchanged(listing);
}

function expire(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  if (listing.state !== "available") return unchanged(listing);
  // Woken too early (an alarm may fire twice or late after a change): look again at the right time.
  if (listing.expiresAt > now) {
    return { ...unchanged(listing), effects: [{ type: "wake_at", at: listing.expiresAt }] };
  }
  return close(listing, "expired", null);
}

/**
 * Decides one command.
 * @param listing the lead's record in this region; null when it was never listed here
 * @param now epoch milliseconds
 */
export function decide(listing: Listing | null, command: Command, now: number): Decision {
  switch (command.type) {
    case "list":
      return list(listing, command, now);
    case "sell":
      return sell(listing, command, now);
    case "withdraw":
      return withdraw(listing);
    case "expire":
      return expire(listing, now);
  }
}

const FIRST_RETRY_MS = 2_000;
const SLOWEST_RETRY_MS = 5 * 60_000;

/** When to tell D1 again after `attempts` tries, in ms from now: doubling up to five minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), SLOWEST_RETRY_MS);
}
