/**
 * Holds: a lead set aside for one business while its card is charged. The one thing that must never
 * happen is that a lead goes to the next business while the first one's payment could still succeed.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { HOLD_MINUTES, NEWCOMER_HOLD_SECONDS, SAME_LEAD_WAIT_MINUTES } from "../../contract/payments.ts";
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
  type BuyerHistory,
  unchanged,
} from "./listing.ts";
import type { Payment } from "./payment.ts";

/** How long a business has to pay. */
export const HOLD_MS = HOLD_MINUTES * MINUTE_MS;
const NEWCOMER_HOLD_MS = NEWCOMER_HOLD_SECONDS * 1000;

/**
 * How long a lead is held. Leads may be kept off the market without a card, so whoever has shown none, and
 * whom nobody has verified, has to be quick.
 * @param isTrusted decided by what the server knows, never by what a browser says
 */
export function holdMsFor(isTrusted: boolean): number {
  return isTrusted ? HOLD_MS : NEWCOMER_HOLD_MS;
}

/** How many leads new providers may hold at once: one alone, and all in a network together. */
export const MAX_NEWCOMER_HOLDS = { perBusiness: 1, per56: 2, per48: 4 } as const;

export const SAME_LEAD_WAIT_MS = SAME_LEAD_WAIT_MINUTES * MINUTE_MS;
/** This many holds that came to nothing by the buyer's own doing, lapsed or closed, within this time … */
export const LAPSES = 3;
export const LAPSE_WINDOW_MS = HOUR_MS;
/** … stop new holds for this long, in every region. */
export const LAPSES_WAIT_MS = 15 * MINUTE_MS;
/**
 * Everybody hears of a hold when its payment is attached: until then D1 may refuse it, say as a business's
 * third, and they would have seen it come and go. Without a word for this long they hear of it all the same.
 */
export const ANNOUNCE_AFTER_MS = 2_000;
/** A claim key names one lead for this long. */
export const CLAIM_KEY_MS = DAY_MS;
/** A lead that so many businesses let go of is shown to the admins. */
export const IN_VAIN = 3;
/** A payment that resists cancelling this long is shown to the admins. */
const STUCK_MS = 10 * MINUTE_MS;

export const CURRENCY = "aud";

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;

/** Until when a business has to wait, by what it did before; 0 when it need not. */
function waitsUntil({ releasedAt, letGoAt }: BuyerHistory, now: number): number {
  const sameLead = releasedAt === null ? 0 : releasedAt + SAME_LEAD_WAIT_MS;
  return Math.max(sameLead, waitsAfter(letGoAt, now));
}

/**
 * Until when a business that let go of leads has to wait for any other; 0 when it need not.
 * @param letGoAt when it did, in epoch ms; whichever region it was in
 */
export function waitsAfter(letGoAt: readonly number[], now: number): number {
  const recent = letGoAt.filter((at) => at > now - LAPSE_WINDOW_MS);
  return recent.length >= LAPSES ? Math.max(...recent) + LAPSES_WAIT_MS : 0;
}

/** Whether everybody has been told of a hold. */
function isAnnounced({ announceAt = null }: Hold): boolean {
  return announceAt === null;
}

/** The hold is over and cannot be paid for any more: back on the market, unless its time is over too. */
function giveBack(listing: Listing, hold: Hold, cause: ReleaseCause, now: number): Decision {
  const remember: Effect[] =
    cause === "failed"
      ? []
      : [{ type: "remember_release", businessId: hold.businessId, lapsed: cause === "lapsed" }];
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired");
    return { ...expired, effects: [...remember, ...expired.effects] };
  }
  const announcements: Effect[] = isAnnounced(hold) ? [{ type: "announce_returned" }] : [];
  return changed(listing, { state: "available", hold: null }, [...remember, ...announcements]);
}

/** Ends a hold: at once while nobody can pay, else only after its payment is certain to be over. */
function end(listing: Listing, hold: Hold, cause: ReleaseCause, now: number): Decision {
  if (hold.paymentIntentId === null) return giveBack(listing, hold, cause, now);
  const release = { cause, since: now, attempts: 0 };
  return changed(listing, { state: "releasing", hold: { ...hold, release } }, [
    { type: "cancel_payment_at", at: now },
  ]);
}

/** Sets a lead aside. The same business again gets the hold it has. */
export function hold(before: Listing | null, command: Of<"hold">, now: number): Decision {
  if (!before) return refuse(null, "unknown");
  const { businessId, userId, holdId, buyerHistory, claimKey } = command;
  if (buyerHistory.claimedLeadId !== null && buyerHistory.claimedLeadId !== before.leadId)
    return refuse(before, "key_reused");
  // Swept on access: a hold whose alarm is late keeps nobody from the lead.
  const isOver = before.hold !== null && before.hold.endsAt <= now;
  const lapsed = isOver ? lapse(before, now) : unchanged(before);
  const listing = lapsed.listing!;
  const refused = (reason: Parameters<typeof refuse>[1], until?: number): Decision => ({
    ...lapsed,
    answer: { ok: false, reason, ...(until !== undefined && { until }) },
  });
  const isMine = (listing.hold ?? listing.sale)?.businessId === businessId;
  if (listing.state === "held" && isMine) return unchanged(listing);
  if (listing.state === "sold") return isMine ? unchanged(listing) : refused("taken");
  if (listing.state === "releasing") return refused(isMine ? "hold_ended" : "taken");
  if (listing.state === "held") return refused("taken");
  if (listing.state !== "available") return { ...lapsed, answer: refuseClosed(listing) };
  if (listing.expiresAt <= now) {
    const expired = close(listing, "expired");
    return { ...expired, effects: [...lapsed.effects, ...expired.effects], answer: refused("closed").answer };
  }
  if (command.amountCents !== listing.priceCents) return refused("price_changed");
  // The sweep above may just have ended a hold of this very business.
  const releasedAt = lapsed.effects.some(
    (effect) => effect.type === "remember_release" && effect.businessId === businessId,
  )
    ? now
    : buyerHistory.releasedAt;
  const until = waitsUntil({ ...buyerHistory, releasedAt }, now);
  if (until > now) return refused("waiting", until);
  if (buyerHistory.isShareTaken) return refused("share_taken");
  const endsAt = now + command.holdMs;
  const announceAt = now + ANNOUNCE_AFTER_MS;
  const fresh: Hold = {
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
  return changed(listing, { state: "held", hold: fresh }, [
    ...lapsed.effects,
    { type: "announce_held_at", at: announceAt },
    { type: "hold_ends_at", at: endsAt },
    ...(claimKey ? [{ type: "remember_claim", businessId, claimKey } as const] : []),
  ]);
}

/** Tells everybody of a hold, should they not know. */
export function announce(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (!hold || isAnnounced(hold)) return unchanged(listing);
  // Woken too early: look again at the right time.
  if (hold.announceAt! > now)
    return { ...unchanged(listing), effects: [{ type: "announce_held_at", at: hold.announceAt! }] };
  return changed(listing, { hold: { ...hold, announceAt: null } }, [
    { type: "announce_held", until: hold.endsAt },
  ]);
}

/**
 * Notes which payment belongs to a hold; only after this may the payment's secret leave the server, and
 * only now is it certain that somebody is buying.
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

/** The buyer closed the dialog, or we could not make a payment. */
export function release(listing: Listing | null, command: Of<"release">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (hold?.holdId !== command.holdId) return refuse(listing, "hold_ended");
  if (listing.state !== "held") return unchanged(listing);
  // Our failure was only this call's: another one of the same business got its payment attached.
  if (command.cause === "failed" && hold.paymentIntentId !== null) return unchanged(listing);
  return end(listing, hold, command.cause, now);
}

/** Ends a hold whose time is over. */
export function lapse(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (listing.state !== "held" || !hold) return unchanged(listing);
  // Woken too early: look again at the right time.
  if (hold.endsAt > now)
    return { ...unchanged(listing), effects: [{ type: "hold_ends_at", at: hold.endsAt }] };
  return end(listing, hold, "lapsed", now);
}

function isAgreed(listing: Listing, hold: Hold, payment: Payment): boolean {
  return (
    payment.amountCents === hold.amountCents &&
    payment.currency === CURRENCY &&
    payment.leadId === listing.leadId &&
    payment.businessId === hold.businessId
  );
}

/**
 * Takes in Stripe's word about a payment. Repeating it, or hearing it late, changes nothing more.
 * A refusal means that the money has to go back.
 */
export function settle(listing: Listing | null, command: Of<"settle">, now: number): Decision {
  const { payment, purchaseId } = command;
  const { paymentIntentId, holdId } = payment;
  const isPaid = payment.status === "succeeded";
  if (!listing) return refuse(null, isPaid ? "refund_late" : "unknown");
  const { hold, sale } = listing;
  const isItsHold =
    hold?.holdId === holdId &&
    (hold.paymentIntentId === null || hold.paymentIntentId === paymentIntentId) &&
    (listing.state === "held" || listing.state === "releasing");
  if (!isItsHold || !hold) {
    const isItsSale = sale?.holdId === holdId && sale.paymentIntentId === paymentIntentId;
    return isPaid && !isItsSale ? refuse(listing, "refund_late") : unchanged(listing);
  }
  if (isPaid) {
    if (!isAgreed(listing, hold, payment)) {
      const back = giveBack(listing, hold, "failed", now);
      return { ...back, answer: { ok: false, reason: "refund_mismatch" } };
    }
    const { businessId, userId, amountCents } = hold;
    const bought = { purchaseId, businessId, userId, amountCents, soldAt: now, holdId, paymentIntentId };
    return close(listing, "sold", { sale: { ...bought, mode: "stripe" } });
  }
  if (payment.status === "cancelled") return giveBack(listing, hold, hold.release?.cause ?? "failed", now);
  return unchanged(listing);
}

/**
 * Gives a held lead back on a person's word, although its payment might still succeed: that one would be
 * paid back as any that comes too late.
 */
export function free(listing: Listing | null, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  return listing.hold ? giveBack(listing, listing.hold, "failed", now) : unchanged(listing);
}

const FIRST_RETRY_MS = 2_000;
const SLOWEST_RETRY_MS = MINUTE_MS;

/** Stripe did not answer, or the payment cannot be cancelled just now: ask again, less and less often. */
export function unclear(listing: Listing | null, command: Of<"unclear">, now: number): Decision {
  if (!listing) return refuse(null, "unknown");
  const { hold } = listing;
  if (listing.state !== "releasing" || hold?.holdId !== command.holdId || !hold.release)
    return unchanged(listing);
  const attempts = hold.release.attempts + 1;
  const at = now + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), SLOWEST_RETRY_MS);
  const isStuck = now - hold.release.since >= STUCK_MS;
  return changed(listing, { hold: { ...hold, release: { ...hold.release, attempts } } }, [
    { type: "cancel_payment_at", at },
    ...(isStuck ? [{ type: "alert_stuck" } as const] : []),
  ]);
}
