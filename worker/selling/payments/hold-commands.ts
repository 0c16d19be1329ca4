/** Holds leads for buyers who are about to pay, and releases them. */
import type { HoldRequest } from "../../../contract/payments.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import {
  exchangeOf,
  holdEndedError,
  refusalError,
  sendCommand,
  sendCommandToMarket,
  waitingError,
} from "../../exchange/exchange-calls.ts";
import { hasOwnRequest } from "../../leads/queries.ts";
import { holdMsFor, blockedUntil } from "../../exchange/hold-rules.ts";
import type { Hold } from "../../exchange/listing.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import {
  closeRow,
  hasOpenRow,
  isHoldCurrent,
  type LiveBuyer,
  type NewEntry,
  NOT_CREATED,
  markAbandoned,
  recordCreationFailure,
  takeSlot,
} from "./ledger-commands.ts";
import { findSlotRefusal, findPayment, findRowOfHold } from "./queries.ts";
import type { NewcomerNetworks } from "./rules.ts";
import { type StripeAccount, stripeAccount } from "./stripe.ts";

/** A held lead, as sent to its buyer's browser. */
export type OpenedHold = {
  publishableKey: string;
  /** The URL of Stripe.js; null for Stripe's own host. */
  scriptUrl: string | null;
  holdId: string;
  holdExpiresAt: number;
  /** The total length of the hold, in milliseconds. */
  holdMs: number;
  /** The server's time (epoch ms), because browser clocks are not reliable. */
  serverNow: number;
  amountCents: number;
};

/** A hold, the order for its payment, and whether this call made the hold. */
export type CreatedHold = { hold: Hold; order: NewEntry; isCreator: boolean };

/** @param cards the account that receives the payment */
export function toOpenedHold(cards: StripeAccount, { hold }: CreatedHold): OpenedHold {
  return {
    publishableKey: cards.publishableKey,
    scriptUrl: cards.scriptUrl,
    holdId: hold.holdId,
    holdExpiresAt: hold.endsAt,
    holdMs: hold.endsAt - hold.heldAt,
    serverNow: Date.now(),
    amountCents: hold.amountCents,
  };
}

/** Delay before a second attempt to release a hold. A shorter delay would add to an overloaded exchange's load. */
const RELEASE_RETRY_MS = 1_000;

/**
 * Releases a hold after a failure that was not the buyer's fault. Only the call that made the hold may release it. A
 * second call, for example from a double click, may still need the hold. Always records a failure to create the
 * payment. The buyer does not have to wait afterwards.
 */
export async function abandonHold(
  context: Context,
  held: CreatedHold,
  state: "cancelled" | "pending",
  why: string,
) {
  const { leadId, holdId, region } = held.order;
  const db = context.db;
  try {
    if (!held.isCreator) {
      if (why === NOT_CREATED) await recordCreationFailure(db, holdId);
      return;
    }
    const release = () => sendCommand(context, region, { type: "release", leadId, holdId, cause: "failed" });
    // Without a second attempt, no provider could buy the lead until the hold ends.
    const answer = await release().catch(() => scheduler.wait(RELEASE_RETRY_MS).then(release));
    // Another call of the same business has attached the payment, so the hold and slot are in use.
    if (answer.ok && answer.listing.hold?.holdId === holdId) return;
    await closeRow(db, holdId, state, why, Date.now());
  } catch (error) {
    // The alarm will end the hold, and the sweep will close the row.
    log("warn", "give_up_failed", { leadId, error });
  }
}

const alreadyBoughtError = () =>
  new DomainError("already_bought", "You've bought this lead. It's in your pipeline.");

async function holdLead(
  context: Context,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  { isTrusted, hasPaid }: Pick<Buyer, "isTrusted" | "hasPaid">,
): Promise<CreatedHold> {
  const { leadId, amount: amountCents } = request;
  const { businessId, userId } = scope;
  // If the hold has this ID, this call made the hold, even after retries.
  const holdId = newId("hold");
  const holdMs = holdMsFor(isTrusted);
  const order = { leadId, businessId, userId, amountCents, holdId, holdMs, hasPaid };
  const newcomer = isTrusted ? {} : { newcomerSharePercent: context.settings.newcomerSharePercent };
  const { answer, region } = await sendCommandToMarket(context, { type: "hold", ...order, ...newcomer });
  if (!answer.ok) throw refusalError(answer);
  const { hold } = answer.listing;
  if (!hold) throw alreadyBoughtError();
  const entry = { leadId, region, holdId: hold.holdId, businessId, userId: hold.userId, claimKey };
  const terms = { amountCents: hold.amountCents, endsAt: hold.endsAt };
  return { hold, order: { ...entry, ...terms }, isCreator: hold.holdId === holdId };
}

/** The buyer, from a session that may be a minute old. `recheck` checks the current state in D1. */
export type Buyer = LiveBuyer & {
  /** Whether the buyer has paid for a lead before. */
  hasPaid: boolean;
  /** Returns the networks of the buyer's IP address, for limits on new providers. */
  networks: () => NewcomerNetworks;
  recheck: () => Promise<{
    /** Why the buyer may no longer buy; null if the buyer may. */
    refusal: DomainError | null;
    isTrusted: boolean;
  }>;
};

/** The buyer was trusted when the session was cached, but is no longer trusted. */
const TRUST_LOST = "trust_lost";

/**
 * @param hasOpen whether the new provider already holds a lead; if not, the provider's network has reached its limit
 */
function newcomerRefusal(hasOpen: boolean): DomainError {
  const why = hasOpen
    ? "Until you've bought your first lead, you can reserve one at a time. Finish or close your open purchase, then try again."
    : "New providers on your network have already reserved several leads. Try again in a minute or two.";
  return new DomainError("newcomer_limit", `${why} You have not been charged.`);
}

/**
 * Inserts a hold's row if the buyer may still buy, in one statement. Queries D1 for the reason only after a refusal.
 * @returns the refusal, or null. @throws D1's errors
 */
async function enterLedger(
  db: Db,
  { order, isCreator }: CreatedHold,
  buyer: Buyer,
): Promise<DomainError | typeof TRUST_LOST | null> {
  const now = Date.now();
  // Usually the previous call from the same window has already inserted the row.
  if (!isCreator && (await isHoldCurrent(db, order, buyer, now))) return null;
  const networks = buyer.isTrusted ? null : buyer.networks();
  if (await takeSlot(db, order, buyer, networks, now)) return null;
  const { refusal, isTrusted } = await buyer.recheck();
  if (refusal) return refusal;
  const claim = { key: order.claimKey, leadId: order.leadId };
  const [row, { isKeyReused, releaseTimes, soldTo }] = await Promise.all([
    findRowOfHold(db, order.holdId),
    findSlotRefusal(db, order, claim, now),
  ]);
  // Applies even if another tab already holds the lead: a claim key belongs to one lead across all regions.
  if (isKeyReused) return new DomainError("key_reused");
  if (row) return row.slot === null ? holdEndedError() : null;
  if (soldTo) return soldTo === order.businessId ? alreadyBoughtError() : new DomainError("lead_taken");
  if (await hasOwnRequest(db, order.businessId, order.leadId)) return new DomainError("own_request");
  if (buyer.isTrusted && !isTrusted) return TRUST_LOST;
  const until = blockedUntil(releaseTimes, now);
  if (until > now) return waitingError(until, true);
  if (!isTrusted) return newcomerRefusal(await hasOpenRow(db, order.businessId));
  return new DomainError("too_many_holds", "Finish or close one of your two open purchases first.");
}

/**
 * Holds a lead for a business in the exchange and takes one of its two slots in the ledger. A new provider has one slot
 * and shares its network's limit. Returns the existing hold if the business already holds the lead in any window.
 * @param buyer checked in D1 only after the exchange grants the lead, so a losing claim costs D1 nothing
 * @throws DomainError unauthenticated, not_verified, lead_taken, lead_closed, lead_not_found, price_changed,
 *   hold_waiting, hold_ended, key_reused, already_bought, own_request, too_many_holds, newcomer_limit, exchange_unavailable
 */
export async function secureHold(
  context: Context,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<CreatedHold> {
  const held = await holdLead(context, scope, request, claimKey, buyer);
  const refusal = await enterLedger(context.db, held, buyer).catch((error: unknown) => {
    log("warn", "ledger_unavailable", { leadId: request.leadId, error });
    return new DomainError("exchange_unavailable");
  });
  if (!refusal) return held;
  const why = refusal === TRUST_LOST ? refusal : refusal.code;
  // This call did not insert a row. A concurrent call, for example from a double click, may have inserted one. That
  // call may still be creating the payment, or may have failed afterwards. The sweep resolves this.
  await abandonHold(context, held, "pending", why);
  if (refusal !== TRUST_LOST) throw refusal;
  return secureHold(context, scope, request, claimKey, { ...buyer, isTrusted: false });
}

/**
 * Holds a lead and returns immediately. The next call creates the payment for this hold. Without a payment the hold
 * expires.
 * @throws DomainError payments_unavailable, and as `secureHold`
 */
export async function holdForPayment(
  context: Context,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OpenedHold> {
  const cards = stripeAccount(context);
  return toOpenedHold(cards, await secureHold(context, scope, request, claimKey, buyer));
}

/**
 * Ends a hold that expired without a payment. A failed attempt to create the payment does not count as a release.
 * @param now epoch ms
 * @throws D1's errors; safe to repeat
 */
export async function endUnpaid(context: Context, hold: { leadId: string; holdId: string }, now: number) {
  const db = context.db;
  const row = await findRowOfHold(db, hold.holdId);
  if (!row || row.slot === null || row.stripePaymentIntentId) return;
  // Close the row last: after a crash in between, the sweep still finds the open row.
  if (row.lastError !== NOT_CREATED) await markAbandoned(db, { ...hold, hasLapsed: true }, now);
  await closeRow(db, hold.holdId, "pending", row.lastError ?? "lapsed", now);
}

/**
 * Releases a hold when the buyer closes the dialog. The lead returns to the market once its payment can no longer
 * succeed.
 * @throws DomainError not_found, exchange_unavailable
 */
export async function closeHold(context: Context, scope: BusinessScope, holdId: string): Promise<void> {
  const db = context.db;
  const row = await findPayment(db, scope, holdId);
  if (!row || !exchangeOf(context, row.region))
    throw new DomainError("not_found", "We can't find that purchase. Please reload the page.");
  const { leadId, region } = row;
  const release = (cause: "closed" | "failed") =>
    sendCommand(context, region, { type: "release", leadId, holdId, cause });
  const isOurFault = !row.stripePaymentIntentId && row.lastError === NOT_CREATED;
  const answer = await release(isOurFault ? "failed" : "closed");
  const hasPayment = answer.ok && answer.listing.hold?.holdId === holdId;
  // Another window has created the payment after all, so this is an ordinary release.
  if (isOurFault && hasPayment) await release("closed");
  // If there is a payment, the exchange's alarm closes the row after cancelling the payment.
  if (row.stripePaymentIntentId || hasPayment) return;
  await closeRow(db, holdId, "pending", "closed", Date.now());
  if (!isOurFault) await markAbandoned(db, { leadId, holdId, hasLapsed: false }, Date.now());
}
