/**
 * Holds: the exchange reserves a lead for one business while that business pays. Invariant: while that business's
 * payment could still succeed, the lead never goes to another business.
 */
import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { HOLD_MINUTES, NEWCOMER_HOLD_SECONDS, SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import {
  changed,
  close,
  type Command,
  type Decision,
  type Effect,
  type Hold,
  type Listing,
  refuse,
  refuseClosed,
  type ReleaseCause,
  unchanged,
} from "./listing.ts";
import { passOffer, refuseRescue, RUNNER_UP_MS } from "./offer-rules.ts";
import type { Payment } from "./ports.ts";

/** Duration of a hold: the time a business has to pay. */
export const HOLD_MS = HOLD_MINUTES * MINUTE_MS;
const NEWCOMER_HOLD_MS = NEWCOMER_HOLD_SECONDS * 1000;

/**
 * Returns how long a lead is held, in ms. An untrusted business is not verified and has never paid. It gets less time,
 * because it could block leads without paying.
 * @param isTrusted from the server's own records, never from the browser
 */
export function holdMsFor(isTrusted: boolean): number {
  return isTrusted ? HOLD_MS : NEWCOMER_HOLD_MS;
}

/** Maximum leads that new providers may hold at once: each business, and all businesses of a network together. */
export const MAX_NEWCOMER_HOLDS = { perBusiness: 1, per56: 2, per48: 4 } as const;

export const SAME_LEAD_WAIT_MS = SAME_LEAD_WAIT_MINUTES * MINUTE_MS;
/**
 * If a buyer closes this many holds or lets them lapse within LAPSE_WINDOW_MS, new holds are blocked for
 * LAPSES_WAIT_MS. The block applies in every region.
 */
export const MAX_LAPSES = 3;
export const LAPSE_WINDOW_MS = HOUR_MS;
export const LAPSES_WAIT_MS = 15 * MINUTE_MS;
/**
 * A hold is broadcast when its payment is attached, or after this long at the latest. Until then D1 may refuse the
 * hold, for example because the business already has two. Providers would see the hold appear and vanish.
 */
export const ANNOUNCE_AFTER_MS = 2_000;
/** If this many businesses release a lead, the admins are alerted. */
export const MAX_ABANDONED_HOLDS = 3;
/** If a payment cannot be cancelled for this long, the admins are alerted. */
const STUCK_MS = 10 * MINUTE_MS;

export const CURRENCY = "aud";

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;

/**
 * Returns when a business that released leads may hold any lead again (epoch ms); 0 if it need not wait.
 *
 * @param releaseTimes when the business released leads in any region, in epoch ms
 */
export function blockedUntil(releaseTimes: readonly number[], now: number): number {
  const recent = releaseTimes.filter((at) => at > now - LAPSE_WINDOW_MS);
  return recent.length >= MAX_LAPSES ? Math.max(...recent) + LAPSES_WAIT_MS : 0;
}

function isAnnounced({ announceAt }: Hold): boolean {
  return announceAt === null;
}

/** Ends a hold that can no longer be paid. The lead returns to the market, or expires if it is past its own expiry. */
function returnToMarket(listing: Listing, hold: Hold, cause: ReleaseCause, now: number): Decision {
  const releaseEffects: Effect[] =
    cause === "failed"
      ? []
      : [{ type: "remember_release", businessId: hold.businessId, lapsed: cause === "lapsed" }];
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired");
    return { ...expired, effects: [...releaseEffects, ...expired.effects] };
  }
  const announcements: Effect[] = isAnnounced(hold) ? [{ type: "announce_returned" }] : [];
  const returned = changed(listing, { state: "available", hold: null }, [
    ...releaseEffects,
    ...announcements,
  ]);
  // The hold may have outlived its offer, which the business did not ignore.
  const passed = passOffer(returned.listing!, now, "ended");
  if (passed.listing === returned.listing) return returned;
  return { ...passed, effects: [...returned.effects, ...passed.effects] };
}

/** Ends a hold immediately if it has no payment. Otherwise starts to cancel the payment; the hold ends after that. */
function endHold(listing: Listing, hold: Hold, cause: ReleaseCause, now: number): Decision {
  if (hold.paymentIntentId === null) return returnToMarket(listing, hold, cause, now);
  const release = { cause, since: now, attempts: 0 };
  return changed(listing, { state: "releasing", hold: { ...hold, release } }, [
    { type: "cancel_payment_at", at: now },
  ]);
}

/** Holds a lead for a business. A repeated call by the same business returns its existing hold. */
export function hold(before: Listing | null, command: Of<"hold">, now: number): Decision {
  if (!before) return refuse(null, "unknown");
  const { businessId, userId, holdId, buyerHistory } = command;
  // Sweep on access: a hold with a late alarm must not block other buyers.
  const isOver = before.hold !== null && before.hold.endsAt <= now;
  const lapsed = isOver ? lapse(before, now) : passOffer(before, now);
  const listing = lapsed.listing!;
  const refused = (reason: Parameters<typeof refuse>[1], until?: number, isForAll?: true): Decision => ({
    ...lapsed,
    answer: { ok: false, reason, ...(until !== undefined && { until }), ...(isForAll && { isForAll }) },
  });
  const refusedTaken = (): Decision => {
    const takenAt = listing.sale?.soldAt ?? listing.hold!.heldAt;
    const isRunnerUp = command.hasPaid && !listing.rescue && now - takenAt <= RUNNER_UP_MS;
    const remembered: Effect[] = isRunnerUp ? [{ type: "remember_runner_up", businessId }] : [];
    const taken = refused("taken");
    return { ...taken, effects: [...taken.effects, ...remembered] };
  };
  const rescueRefusal = refuseRescue(listing, businessId);
  if (rescueRefusal) return refused(rescueRefusal);
  const isMine = (listing.hold ?? listing.sale)?.businessId === businessId;
  if (listing.state === "held" && isMine) return unchanged(listing);
  if (listing.state === "sold") return isMine ? unchanged(listing) : refusedTaken();
  if (listing.state === "releasing") return isMine ? refused("hold_ended") : refusedTaken();
  if (listing.state === "held") return refusedTaken();
  if (listing.state !== "available") return { ...lapsed, answer: refuseClosed(listing) };
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired");
    return { ...expired, effects: [...lapsed.effects, ...expired.effects], answer: refused("closed").answer };
  }
  if (command.amountCents !== listing.priceCents) return refused("price_changed");
  // The lapse above may have ended this business's own hold.
  const releasedAt = lapsed.effects.some(
    (effect) => effect.type === "remember_release" && effect.businessId === businessId,
  )
    ? now
    : buyerHistory.releasedAt;
  const sameLeadUntil = releasedAt === null ? 0 : releasedAt + SAME_LEAD_WAIT_MS;
  const allUntil = blockedUntil(buyerHistory.releaseTimes, now);
  if (allUntil > now && allUntil >= sameLeadUntil) return refused("waiting", allUntil, true);
  if (sameLeadUntil > now) return refused("waiting", sameLeadUntil);
  if (buyerHistory.isShareTaken) return refused("share_taken");
  const endsAt = now + command.holdMs;
  const announceAt = now + ANNOUNCE_AFTER_MS;
  const newHold: Hold = {
    holdId,
    businessId,
    userId,
    amountCents: listing.priceCents,
    heldAt: now,
    endsAt,
    announceAt,
    ...(command.isNewcomer && { isNewcomer: true }),
    paymentIntentId: null,
    release: null,
  };
  return changed(listing, { state: "held", hold: newHold }, [
    ...lapsed.effects,
    { type: "announce_held_at", at: announceAt },
    { type: "hold_ends_at", at: endsAt },
  ]);
}

/** Broadcasts a hold that has not been broadcast yet. */
export function announce(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (!hold || isAnnounced(hold)) return unchanged(listing);
  // Woken too early: check again at the right time.
  if (hold.announceAt! > now)
    return { ...unchanged(listing), effects: [{ type: "announce_held_at", at: hold.announceAt! }] };
  return changed(listing, { hold: { ...hold, announceAt: null } }, [
    { type: "announce_held", until: hold.endsAt },
  ]);
}

/**
 * Attaches a payment to a hold. The payment's secret must not leave the server before this. Broadcasts the hold,
 * because the business is now certain to be buying.
 */
export function attach(listing: Listing | null, command: Of<"attach">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (listing.state !== "held" || hold?.holdId !== command.holdId || hold.endsAt <= now)
    return refuse(listing, "hold_ended");
  if (hold.paymentIntentId === command.paymentIntentId) return unchanged(listing);
  if (hold.paymentIntentId !== null) return refuse(listing, "hold_ended");
  const attached = { ...hold, paymentIntentId: command.paymentIntentId, announceAt: null };
  return changed(
    listing,
    { hold: attached },
    isAnnounced(hold) ? [] : [{ type: "announce_held", until: hold.endsAt }],
  );
}

/** Releases a hold: the buyer closed the dialog, or we could not create a payment. */
export function release(listing: Listing | null, command: Of<"release">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (hold?.holdId !== command.holdId) return refuse(listing, "hold_ended");
  if (listing.state !== "held") return unchanged(listing);
  // Only this call failed: another call of the same business attached a payment.
  if (command.cause === "failed" && hold.paymentIntentId !== null) return unchanged(listing);
  return endHold(listing, hold, command.cause, now);
}

export function lapse(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (listing.state !== "held" || !hold) return unchanged(listing);
  // Woken too early: check again at the right time.
  if (hold.endsAt > now)
    return { ...unchanged(listing), effects: [{ type: "hold_ends_at", at: hold.endsAt }] };
  return endHold(listing, hold, "lapsed", now);
}

function matchesHold(listing: Listing, hold: Hold, payment: Payment): boolean {
  return (
    payment.amountCents === hold.amountCents &&
    payment.currency === CURRENCY &&
    payment.leadId === listing.leadId &&
    payment.businessId === hold.businessId
  );
}

/**
 * Applies a payment's status from Stripe. A repeated or late call changes nothing. If the result refuses a successful
 * payment, the caller must refund the payment.
 */
export function settleListing(listing: Listing | null, command: Of<"settle">, now: number): Decision {
  const { paymentIntentId, holdId, purchaseId, status } = command;
  const isPaid = status === "succeeded";
  if (!listing) return refuse(null, isPaid ? "refund_late" : "unknown");
  const { hold, sale } = listing;
  const isPaymentOfHold =
    hold?.holdId === holdId &&
    (hold.paymentIntentId === null || hold.paymentIntentId === paymentIntentId) &&
    (listing.state === "held" || listing.state === "releasing");
  if (!isPaymentOfHold || !hold) {
    const isPaymentOfSale = sale?.holdId === holdId && sale.paymentIntentId === paymentIntentId;
    return isPaid && !isPaymentOfSale ? refuse(listing, "refund_late") : unchanged(listing);
  }
  if (isPaid) {
    if (!matchesHold(listing, hold, command)) {
      const returned = returnToMarket(listing, hold, "failed", now);
      return { ...returned, answer: { ok: false, reason: "refund_mismatch" } };
    }
    const { businessId, userId, amountCents } = hold;
    const bought = { purchaseId, businessId, userId, amountCents, soldAt: now, holdId, paymentIntentId };
    return close(listing, "sold", { sale: { ...bought, mode: "stripe" } });
  }
  if (status === "cancelled") return returnToMarket(listing, hold, hold.release?.cause ?? "failed", now);
  return unchanged(listing);
}

/**
 * Returns a held lead to the market at an admin's request, although its payment might still succeed. A payment that
 * succeeds later is refunded. Safe to repeat.
 */
export function forceRelease(listing: Listing | null, command: Of<"free">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold, sale } = listing;
  if (sale?.holdId === command.holdId) return refuse(listing, "hold_ended");
  return hold?.holdId === command.holdId ? returnToMarket(listing, hold, "failed", now) : unchanged(listing);
}

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_DELAY_MS = MINUTE_MS;

/** Schedules another attempt with back-off, after Stripe did not respond or could not cancel the payment yet. */
export function scheduleCancelRetry(listing: Listing | null, command: Of<"unclear">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (listing.state !== "releasing" || hold?.holdId !== command.holdId || !hold.release)
    return unchanged(listing);
  const attempts = hold.release.attempts + 1;
  const at = now + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  const isStuck = now - hold.release.since >= STUCK_MS;
  return changed(listing, { hold: { ...hold, release: { ...hold.release, attempts } } }, [
    { type: "cancel_payment_at", at },
    ...(isStuck ? [{ type: "alert_stuck" } as const] : []),
  ]);
}
