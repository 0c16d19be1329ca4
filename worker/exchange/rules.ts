/**
 * The state machine of a lead on the market: (listing, command, now) → (listing, effects, answer).
 * Pure: no clock, no randomness, no storage. The Durable Object around it stores the listing, carries
 * out the effects and returns the answer.
 */
import { MINUTE_MS } from "../../contract/durations.ts";
import {
  announce,
  attach,
  forceRelease,
  hold,
  lapse,
  release,
  settleListing,
  scheduleCancelRetry,
} from "./hold-rules.ts";
import { endOffer, hideOffered, offerNext, passOffer, refuseRescue, restartOffer } from "./offer-rules.ts";
import {
  changed,
  close,
  closeUnannounced,
  type Command,
  type Decision,
  isOpen,
  type Listing,
  refuse,
  refuseClosed,
  type Terms,
  unchanged,
} from "./listing.ts";

/** Returns a lead's initial record in a new generation. */
function newListing(before: Listing | null, terms: Terms & { knownVersion?: number }, now: number): Listing {
  const { leadId, generation, priceCents, expiresAt, knownVersion = 0 } = terms;
  return {
    leadId,
    generation,
    version: Math.max(before?.version ?? 0, knownVersion),
    state: "available",
    priceCents,
    listedAt: now,
    expiresAt,
    sale: null,
    hold: null,
    departure: null,
    rescue: null,
  };
}

function list(listing: Listing | null, command: Extract<Command, { type: "list" }>, now: number): Decision {
  // A late or repeated `list` never revives a lead: the record of a closed lead stays as a tombstone.
  if (listing && command.generation < listing.generation) return refuse(listing, "outdated");
  if (listing && command.generation === listing.generation) return unchanged(listing);
  // A sold lead stays sold, in every generation.
  if (listing?.state === "sold") return unchanged(listing);
  if (listing && isOpen(listing.state)) return refuse(listing, "outdated");
  const fresh = newListing(listing, command, now);
  if (fresh.expiresAt <= now) return closeUnannounced(fresh, "expired");
  const wake = { type: "wake_at", at: fresh.expiresAt } as const;
  if (!command.rescue) return changed(fresh, {}, [{ type: "announce_listed" }, wake]);
  const offered = offerNext(fresh, { ...command.rescue, offers: [] }, now);
  return { ...offered, effects: [wake, ...offered.effects] };
}

function sell(before: Listing | null, command: Extract<Command, { type: "sell" }>, now: number): Decision {
  if (!before) return refuse(null, "unknown");
  const passed = passOffer(before, now);
  const listing = passed.listing!;
  const reason = refuseRescue(listing, command.businessId);
  if (reason) return { ...passed, answer: refuse(listing, reason).answer };
  if (listing.state === "sold") {
    return listing.sale?.businessId === command.businessId ? unchanged(listing) : refuse(listing, "taken");
  }
  // A held lead belongs to the business that is paying for it.
  if (listing.hold) return refuse(listing, "taken", listing.hold.endsAt);
  if (listing.state !== "available") return { ...unchanged(listing), answer: refuseClosed(listing) };
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired");
    return {
      ...expired,
      effects: [...passed.effects, ...expired.effects],
      answer: { ok: false, reason: "closed" },
    };
  }
  const { businessId, userId, mode, purchaseId } = command;
  // The price was fixed when the lead was listed; only a free claim or assignment sets a different amount.
  const amountCents = command.amountCents ?? listing.priceCents;
  const sale = { purchaseId, businessId, userId, mode, amountCents, soldAt: now };
  const sold = close(listing, "sold", { sale });
  return { ...sold, effects: [...passed.effects, ...sold.effects] };
}

function withdraw(
  listing: Listing | null,
  command: Extract<Command, { type: "withdraw" }>,
  now: number,
): Decision {
  const { byUserId, toRegion } = command;
  const departure = { byUserId, at: now, toRegion };
  if (listing?.state === "sold") return refuse(listing, "taken");
  if (listing && command.generation < listing.generation) return refuse(listing, "outdated");
  if (!listing || command.generation > listing.generation) {
    if (listing && isOpen(listing.state)) return refuse(listing, "outdated");
    // The lead was never listed here. The record stops a `list` that arrives later.
    const fresh = newListing(listing, command, now);
    return closeUnannounced(fresh, "withdrawn", departure);
  }
  // A business that is paying takes precedence.
  if (listing.hold) return refuse(listing, "taken", listing.hold.endsAt);
  if (listing.state === "available") return close(listing, "withdrawn", { departure });
  const isRepeated = listing.state === "withdrawn" && listing.departure?.toRegion === toRegion;
  return isRepeated ? unchanged(listing) : refuse(listing, "closed");
}

/** Shows a customer's change to every provider. A business that is paying, or has bought the lead, takes precedence. */
function revise(
  listing: Listing | null,
  command: Extract<Command, { type: "revise" }>,
  now: number,
): Decision {
  if (!listing) return refuse(null, "unknown");
  if (command.generation !== listing.generation) return refuse(listing, "outdated");
  if (listing.state === "sold") return refuse(listing, "taken");
  if (listing.hold) return refuse(listing, "taken", listing.hold.endsAt);
  if (listing.state !== "available") return { ...unchanged(listing), answer: refuseClosed(listing) };
  if (command.isOutdated) return unchanged(listing);
  if (listing.expiresAt <= now)
    return { ...close(listing, "expired"), answer: { ok: false, reason: "closed" } };
  return changed(listing, {}, [{ type: "announce_revised" }]);
}

function expire(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  // A held lead does not expire yet: when the hold ends, the expiry is checked again.
  if (listing.state !== "available") return unchanged(listing);
  // Woken too early (an alarm may fire twice, or after a change): check again at the right time.
  if (listing.expiresAt > now) {
    return { ...unchanged(listing), effects: [{ type: "wake_at", at: listing.expiresAt }] };
  }
  return close(listing, "expired");
}

/**
 * Decides one command.
 * @param listing the lead's record in this region; null when it was never listed here
 * @param now epoch milliseconds
 */
export function decide(listing: Listing | null, command: Command, now: number): Decision {
  return hideOffered(listing, decideByType(listing, command, now));
}

function decideByType(listing: Listing | null, command: Command, now: number): Decision {
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
    case "announce":
      return announce(listing, now);
    case "lapse":
      return lapse(listing, now);
    case "settle":
      return settleListing(listing, command, now);
    case "unclear":
      return scheduleCancelRetry(listing, command, now);
    case "free":
      return forceRelease(listing, command, now);
    case "withdraw":
      return withdraw(listing, command, now);
    case "revise":
      return revise(listing, command, now);
    case "expire":
      return expire(listing, now);
    case "end_offer":
      return endOffer(listing, now);
  }
}

/**
 * Decides one command in a paused region. Refuses new listings, holds and sales. A hold in progress may finish, and a
 * repeated call returns the existing result.
 */
export function decideWhilePaused(listing: Listing | null, command: Command, now: number): Decision {
  if (command.type === "end_offer") return restartOffer(listing, now);
  const decision = decide(listing, command, now);
  const isBeginning = command.type === "list" || command.type === "hold" || command.type === "sell";
  return isBeginning && decision.answer.ok && !decision.answer.repeated
    ? refuse(listing, "paused")
    : decision;
}

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS;

/** Returns the delay before the next write to D1 after `attempts` tries, in ms. It doubles up to five minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), MAX_RETRY_DELAY_MS);
}
