/**
 * Offers of a rescued lead. The businesses whose claims were refused at the first sale get it first: one after the
 * other, for ten minutes each. After that, every business but the first buyer can buy it.
 */
import { addCallTime, type OfferOutcome } from "../../contract/call-clock.ts";
import { MINUTE_MS } from "../../contract/durations.ts";
import {
  changed,
  type Decision,
  type Effect,
  endOpenOffer,
  type Listing,
  openOffer,
  type Refusal,
  refuse,
  type Rescue,
  unchanged,
} from "./listing.ts";

/** Duration of an offer. It counts only in the hours of the call clock. */
export const OFFER_MS = 10 * MINUTE_MS;

/** A business whose claim is refused within this time of the hold or the sale is remembered as a runner-up. */
export const RUNNER_UP_MS = MINUTE_MS;

/** Effects that would show a lead to every business. */
const PUBLIC: ReadonlySet<Effect["type"]> = new Set([
  "announce_held",
  "announce_returned",
  "announce_revised",
  "announce_gone",
]);

/** Offers a lead to the next business, or to every business if the queue is empty. */
export function offerNext(listing: Listing, rescue: Rescue, now: number): Decision {
  const [businessId, ...queue] = rescue.queue;
  if (businessId === undefined)
    return changed(listing, { rescue }, [{ type: "announce_listed" }, { type: "project" }]);
  const endsAt = addCallTime(now, OFFER_MS);
  const offers = [...rescue.offers, { businessId, offeredAt: now, endsAt, outcome: null }];
  return changed(listing, { rescue: { ...rescue, queue, offers } }, [
    { type: "offer_ends_at", at: endsAt },
    { type: "project" },
  ]);
}

/**
 * Passes a lead on if its offer is over. A hold that began within the offer outlives it.
 * @param outcome what became of the offer
 */
export function passOffer(listing: Listing, now: number, outcome: OfferOutcome = "ignored"): Decision {
  const offer = openOffer(listing);
  if (!offer || offer.endsAt > now || listing.state !== "available") return unchanged(listing);
  return offerNext(listing, endOpenOffer(listing.rescue!, outcome), now);
}

/** Ends an offer when its timer fires. */
export function endOffer(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const offer = openOffer(listing);
  // Woken too early: check again at the right time.
  if (offer && offer.endsAt > now)
    return { ...unchanged(listing), effects: [{ type: "offer_ends_at", at: offer.endsAt }] };
  return passOffer(listing, now);
}

/** Starts an offer again when its timer fires in a paused region, where the business could not use it. */
export function restartOffer(listing: Listing | null, now: number): Decision {
  const offer = listing && openOffer(listing);
  if (!listing?.rescue || !offer || offer.endsAt > now || listing.state !== "available")
    return endOffer(listing, now);
  const endsAt = addCallTime(now, OFFER_MS);
  const offers = listing.rescue.offers.map((one) => (one === offer ? { ...one, endsAt } : one));
  return changed(listing, { rescue: { ...listing.rescue, offers } }, [
    { type: "offer_ends_at", at: endsAt },
    { type: "project" },
  ]);
}

/** Returns why a business cannot buy a rescued lead; null if it can. */
export function refuseRescue(listing: Listing, businessId: string): Refusal | null {
  if (listing.rescue?.excludedBusinessId === businessId) return "excluded";
  const offer = openOffer(listing);
  // Another business must not learn of the offer.
  return offer && offer.businessId !== businessId ? "closed" : null;
}

/** Drops the broadcasts about a lead that only one business can see, up to the one that shows it to all. */
export function hideOffered(before: Listing | null, decision: Decision): Decision {
  if (!before || !openOffer(before)) return decision;
  const { effects } = decision;
  const shownAt = effects.findIndex(({ type }) => type === "announce_listed");
  const isKept = ({ type }: Effect, i: number) => !PUBLIC.has(type) || (shownAt !== -1 && i > shownAt);
  return { ...decision, effects: effects.filter(isKept) };
}
