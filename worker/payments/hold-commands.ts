/** Setting leads aside for who is about to pay, and letting go of them. */
import type { HoldRequest } from "../../contract/payments.ts";
import { raiseAttention } from "../outbox/attention-commands.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { type Db, database } from "../db/client.ts";
import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { askExchange, askMarketOf, holdEndedError, refusalError, waitingError } from "../exchange/asking.ts";
import { holdMsFor, IN_VAIN, waitsAfter } from "../exchange/hold-rules.ts";
import type { Hold } from "../exchange/listing.ts";
import { exchangeOf } from "../exchange/stub.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import {
  closeRow,
  hasOpenRow,
  isEntered,
  type LetGo,
  type LiveBuyer,
  type NewEntry,
  NOT_CREATED,
  noteLetGo,
  noteNotCreated,
  takeSlot,
} from "./ledger-commands.ts";
import { findHindrance, findPayment, findRowOfHold } from "./queries.ts";
import type { NewcomerNetworks } from "./rules.ts";
import { type StripeAccount, stripeAccount } from "./stripe.ts";

/** A lead that is set aside, as its buyer's browser is told. */
export type OpenedHold = {
  publishableKey: string;
  /** Where to get Stripe.js; null for Stripe's own. */
  scriptUrl: string | null;
  holdId: string;
  holdExpiresAt: number;
  /** How long the lead is set aside in all, in milliseconds. */
  holdMs: number;
  /** Clocks in browsers are not trusted. */
  serverNow: number;
  amountCents: number;
};

/** A hold, what its payment is made from, and whether this very call made it. */
export type OwnHold = { hold: Hold; order: NewEntry; isMaker: boolean };

/** @param cards whose account the browser pays to */
export function shownHold(cards: StripeAccount, { hold }: OwnHold): OpenedHold {
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

/**
 * Lets go of a hold that came to nothing through no fault of its buyer's. Only the call that made it may:
 * another one of the same business, such as a double click's, may be about to use it. That a payment could
 * not be made is noted all the same: who lets go of such a hold need not wait.
 */
export async function giveUp(env: Env, held: OwnHold, state: "cancelled" | "pending", why: string) {
  const { leadId, holdId, region } = held.order;
  const db = database(env.DB);
  try {
    if (!held.isMaker) {
      if (why === NOT_CREATED) await noteNotCreated(db, holdId);
      return;
    }
    const answer = await askExchange(env, region, (exchange) => exchange.release(leadId, holdId, "failed"));
    // Another call of the same business got the payment attached: hold and slot are in use.
    if (answer.ok && answer.listing.hold?.holdId === holdId) return;
    await closeRow(db, holdId, state, why, Date.now());
  } catch (error) {
    // The alarm ends the hold and the sweep the row.
    log("warn", "give_up_failed", { leadId, error });
  }
}

async function holdLead(
  env: Env,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  isTrusted: boolean,
): Promise<OwnHold> {
  const { leadId, amount: amountCents } = request;
  const { businessId, userId } = scope;
  // Named here: the hold that carries this name was made by this call, however often it had to ask.
  const holdId = newId("hold");
  const order = { leadId, businessId, userId, amountCents, claimKey, holdId, holdMs: holdMsFor(isTrusted) };
  const newcomer = isTrusted ? {} : { newcomerSharePercent: settings(env).newcomerSharePercent };
  const { answer, region } = await askMarketOf(env, leadId, (exchange) =>
    exchange.hold({ ...order, ...newcomer }),
  );
  if (!answer.ok) throw refusalError(answer);
  const { hold } = answer.listing;
  if (!hold) throw new DomainError("already_bought", "You bought this lead; it is in your pipeline.");
  const entry = { leadId, region, holdId: hold.holdId, businessId, userId: hold.userId, claimKey };
  const terms = { amountCents: hold.amountCents, endsAt: hold.endsAt };
  return { hold, order: { ...entry, ...terms }, isMaker: hold.holdId === holdId };
}

/** Who buys, as a session says that may be a minute old, and how to ask D1 itself. */
export type Buyer = LiveBuyer & {
  /** The networks they ask from, for limits on new providers. */
  networks: () => Promise<NewcomerNetworks>;
  ask: () => Promise<{
    /** Why they may not buy any more; null while they may. */
    refusal: DomainError | null;
    isTrusted: boolean;
  }>;
};

/** The hold was made for somebody who was trusted a moment ago and is not any more. */
const TRUST_LOST = "trust_lost";

/** @param hasOpen whether the new provider holds a lead already; else their network holds enough */
function newcomerRefusal(hasOpen: boolean): DomainError {
  const why = hasOpen
    ? "Until you've bought your first lead, you can hold one at a time. Finish or close your open purchase, then try again."
    : "New providers on your network are holding several leads already. Try again in a minute or two.";
  return new DomainError("newcomer_limit", `${why} You have not been charged.`);
}

/**
 * Opens a hold's row for a buyer who may still buy, all in one statement; only a no is asked about.
 * @returns why not, or null. @throws D1's errors
 */
async function enterLedger(
  db: Db,
  { order, isMaker }: OwnHold,
  buyer: Buyer,
): Promise<DomainError | typeof TRUST_LOST | null> {
  const now = Date.now();
  // Most often the same window's call before this one has opened the row.
  if (!isMaker && (await isEntered(db, order, buyer, now))) return null;
  const networks = buyer.isTrusted ? null : await buyer.networks();
  if (await takeSlot(db, order, buyer, networks, now)) return null;
  const { refusal, isTrusted } = await buyer.ask();
  if (refusal) return refusal;
  const claim = { key: order.claimKey, leadId: order.leadId };
  const [row, { isKeyReused, letGoAt }] = await Promise.all([
    findRowOfHold(db, order.holdId),
    findHindrance(db, order, claim, now),
  ]);
  // Also for a lead that another tab is buying already: a key is one lead's, in whatever region.
  if (isKeyReused) return new DomainError("key_reused");
  if (row) return row.slot === null ? holdEndedError() : null;
  if (buyer.isTrusted && !isTrusted) return TRUST_LOST;
  const until = waitsAfter(letGoAt, now);
  if (until > now) return waitingError(until);
  if (!isTrusted) return newcomerRefusal(await hasOpenRow(db, order.businessId));
  return new DomainError("too_many_holds", "Finish or close one of your two open purchases first.");
}

/**
 * Sets a lead aside for a business, in the exchange and as one of its two places in the ledger. A new provider has
 * one place, and shares its network's. The same business again, from wherever, gets the hold it has.
 * @param buyer asked about once the lead is theirs: whoever loses needs no D1
 * @throws DomainError unauthenticated, not_verified, lead_taken, lead_closed, lead_not_found, price_changed,
 *   hold_waiting, hold_ended, key_reused, already_bought, too_many_holds, newcomer_limit,
 *   exchange_unavailable
 */
export async function secureHold(
  env: Env,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OwnHold> {
  const held = await holdLead(env, scope, request, claimKey, buyer.isTrusted);
  const refusal = await enterLedger(database(env.DB), held, buyer).catch((error: unknown) => {
    log("warn", "ledger_unavailable", { leadId: request.leadId, error });
    return new DomainError("exchange_unavailable");
  });
  if (!refusal) return held;
  const why = refusal === TRUST_LOST ? refusal : refusal.code;
  // This call has entered no row: where there is one, a double click's other call has, and may be making the
  // payment, or have been cut off after it. The sweep finds out.
  await giveUp(env, held, "pending", why);
  if (refusal !== TRUST_LOST) throw refusal;
  return secureHold(env, scope, request, claimKey, { ...buyer, isTrusted: false });
}

/**
 * Sets a lead aside and says so at once: its payment is made by the next call, which finds this hold. One
 * whose payment never comes lapses by its time.
 * @throws DomainError payments_unavailable, and what `secureHold` throws
 */
export async function takeHold(
  env: Env,
  scope: BusinessScope,
  request: HoldRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OpenedHold> {
  const cards = stripeAccount(env);
  return shownHold(cards, await secureHold(env, scope, request, claimKey, buyer));
}

/**
 * Notes that a buyer let go of a lead. One that several held in vain is shown to the admins: it may be no
 * real request, or somebody keeps it from those who mean it.
 * @throws D1's errors
 */
export async function recordLetGo(env: Env, hold: LetGo, now: number): Promise<void> {
  const db = database(env.DB);
  const businesses = await noteLetGo(db, hold, now);
  if (businesses < IN_VAIN) return;
  const detail = `${businesses} businesses set this lead aside and let it go again`;
  await raiseAttention(db, "held_in_vain", hold.leadId, detail, now);
}

/**
 * The time of a hold ran out before it had a payment. Whose payment we could not make has let nothing go.
 * @param now epoch ms
 * @throws D1's errors; doing it again is harmless
 */
export async function endUnpaid(env: Env, hold: { leadId: string; holdId: string }, now: number) {
  const db = database(env.DB);
  const row = await findRowOfHold(db, hold.holdId);
  if (!row || row.slot === null || row.stripePaymentIntentId) return;
  // What is told last is what the sweep looks for, should this be cut off in between.
  if (row.lastError !== NOT_CREATED) await recordLetGo(env, { ...hold, hasLapsed: true }, now);
  await closeRow(db, hold.holdId, "pending", row.lastError ?? "lapsed", now);
}

/**
 * The buyer closed the dialog. The lead returns once it is certain that nothing can be paid any more.
 * @throws DomainError not_found, exchange_unavailable
 */
export async function closeHold(env: Env, scope: BusinessScope, holdId: string): Promise<void> {
  const db = database(env.DB);
  const row = await findPayment(db, scope, holdId);
  if (!row || !exchangeOf(env, row.region)) throw new DomainError("not_found", "No such purchase");
  const { leadId, region } = row;
  const release = (cause: "closed" | "failed") =>
    askExchange(env, region, (exchange) => exchange.release(leadId, holdId, cause));
  const isOurFault = !row.stripePaymentIntentId && row.lastError === NOT_CREATED;
  const answer = await release(isOurFault ? "failed" : "closed");
  const hasPayment = answer.ok && answer.listing.hold?.holdId === holdId;
  // Another window has got its payment started after all, and it is let go like any other.
  if (isOurFault && hasPayment) await release("closed");
  // Else the exchange's alarm, once it is certain that nothing was paid.
  if (row.stripePaymentIntentId || hasPayment) return;
  await closeRow(db, holdId, "pending", "closed", Date.now());
  if (!isOurFault) await recordLetGo(env, { leadId, holdId, hasLapsed: false }, Date.now());
}
