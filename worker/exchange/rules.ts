/**
 * The state machine of a lead on the market: (listing, command, now) → (listing, effects, answer).
 * Pure: no clock, no randomness, no storage. The Durable Object around it stores the listing, carries
 * out the effects and returns the answer.
 */
import { attach, hold, lapse, release, settle, unclear } from "./hold-rules.ts";
import {
  changed,
  close,
  type Command,
  type Decision,
  isOpen,
  type Listing,
  refuse,
  unchanged,
} from "./listing.ts";

function list(listing: Listing | null, command: Extract<Command, { type: "list" }>, now: number): Decision {
  // A late or repeated `list` never revives a lead: closed leads keep their record as a tombstone.
  if (listing && command.generation < listing.generation) return refuse(listing, "outdated");
  if (listing && command.generation === listing.generation) return unchanged(listing);
  // Sold is for ever, in every generation.
  if (listing?.state === "sold") return unchanged(listing);
  if (listing && isOpen(listing.state)) return refuse(listing, "outdated");
  const { leadId, generation, priceCents, expiresAt } = command;
  const fresh: Listing = {
    leadId,
    generation,
    version: listing?.version ?? 0,
    state: "available",
    priceCents,
    listedAt: now,
    expiresAt,
    sale: null,
    hold: null,
  };
  if (expiresAt <= now) {
    // Never on the market, so nobody has to hear that it left.
    const expired = close(fresh, "expired", null);
    return { ...expired, effects: expired.effects.filter((effect) => effect.type !== "announce_gone") };
  }
  return changed(fresh, {}, [{ type: "announce_listed" }, { type: "wake_at", at: expiresAt }]);
}

function sell(listing: Listing | null, command: Extract<Command, { type: "sell" }>, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  if (listing.state === "sold") {
    return listing.sale?.businessId === command.businessId ? unchanged(listing) : refuse(listing, "taken");
  }
  // A held lead is somebody's who is paying for it.
  if (isOpen(listing.state) && listing.state !== "available") return refuse(listing, "taken");
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
  if (listing.state === "sold" || listing.hold) return refuse(listing, "taken");
  return listing.state === "available" ? close(listing, "withdrawn", null) : unchanged(listing);
}

function expire(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  // A held lead waits for the end of its hold, which looks at the time itself.
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
    case "hold":
      return hold(listing, command, now);
    case "attach":
      return attach(listing, command, now);
    case "release":
      return release(listing, command, now);
    case "lapse":
      return lapse(listing, now);
    case "settle":
      return settle(listing, command, now);
    case "unclear":
      return unclear(listing, command, now);
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
