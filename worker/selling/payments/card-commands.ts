/** Lists, saves, removes and charges a business's own saved cards. */
import type { Stripe } from "stripe";

import type { SaveCardRequest, SavedCard, SavedCardPayment } from "../../../contract/payments.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { sendCommand, refusalError } from "../../exchange/exchange-calls.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { type SettledHold, settleHold } from "./commands.ts";
import { recordConsent, recordCustomer } from "./ledger-commands.ts";
import { customerOf, findPayment, shownCards } from "./queries.ts";
import { acceptsCards, stripeAccount } from "./stripe.ts";
import { confirmWithCard, ensureCustomer, detachCard, saveCardOf, listCards } from "./stripe-cards.ts";
import { log } from "../../platform/log.ts";

/** Rethrows a Stripe error as a DomainError. Only for calls that charge nothing. @throws DomainError payment_failed */
function rethrowUnreachable(error: unknown): never {
  if (error instanceof DomainError) throw error;
  log("warn", "cards_unreachable", { error });
  throw new DomainError("payment_failed", "The card service didn't respond. Nothing has been charged.");
}

async function listMethods(context: Context, db: Db, scope: BusinessScope): Promise<Stripe.PaymentMethod[]> {
  const customerId = await customerOf(db, scope);
  return customerId ? listCards(stripeAccount(context), customerId) : [];
}

/** Returns the payment of an open hold. @throws DomainError not_found, hold_ended */
async function findOpenIntent(db: Db, scope: BusinessScope, holdId: string): Promise<string> {
  const row = await findPayment(db, scope, holdId);
  if (!row) throw new DomainError("not_found", "We can't find that purchase. Please reload the page.");
  if (row.state !== "pending" || !row.stripePaymentIntentId) throw new DomainError("hold_ended");
  return row.stripePaymentIntentId;
}

/**
 * Returns a business's saved cards, latest first. Returns an empty list if Stripe is not set up.
 * @throws DomainError payment_failed if Stripe does not respond
 */
export async function listSavedCards(context: Context, scope: BusinessScope): Promise<SavedCard[]> {
  if (!acceptsCards(context)) return [];
  try {
    return shownCards(await listMethods(context, context.db, scope), Date.now());
  } catch (error) {
    rethrowUnreachable(error);
  }
}

/**
 * Records whether the buyer consents to save the card about to be used.
 * @throws DomainError not_found, hold_ended, payments_unavailable, payment_failed
 */
export async function recordSaveConsent(
  context: Context,
  scope: BusinessScope,
  { holdId, consent }: SaveCardRequest,
  act: Act,
): Promise<void> {
  const db = context.db;
  const cards = stripeAccount(context);
  const intentId = await findOpenIntent(db, scope, holdId);
  try {
    let customerId: string | null = null;
    if (consent) {
      const known = await customerOf(db, scope);
      customerId = await ensureCustomer(cards, scope.businessId, known);
      if (customerId !== known) await recordCustomer(db, scope, customerId);
    }
    // Record the consent first: no card is saved without it.
    await recordConsent(db, scope, { holdId, consent }, act);
    await saveCardOf(cards, intentId, customerId);
  } catch (error) {
    rethrowUnreachable(error);
  }
}

/**
 * Removes a saved card and every copy of it.
 * @throws DomainError not_found if the card does not belong to this business; payments_unavailable, payment_failed
 */
export async function removeCard(
  context: Context,
  scope: BusinessScope,
  cardId: string,
  act: Act,
): Promise<void> {
  const db = context.db;
  const cards = stripeAccount(context);
  try {
    const methods = await listMethods(context, db, scope);
    const card = methods.find(({ id }) => id === cardId);
    if (!card) throw new DomainError("not_found", "We can't find that card. Please reload the page.");
    const fingerprint = card.card?.fingerprint;
    const copies = methods.filter(
      (method) => method.id === cardId || (fingerprint && method.card?.fingerprint === fingerprint),
    );
    for (const copy of copies) await detachCard(cards, copy.id);
  } catch (error) {
    rethrowUnreachable(error);
  }
  await auditEntry(db, act.actor, {
    at: act.now,
    action: "card.remove",
    subjectType: "user",
    subjectId: scope.businessId,
    requestId: act.requestId,
  });
}

/**
 * Pays for a hold with a saved card. `action_needed`: the buyer has to authenticate with the bank in the browser first.
 * @param returnUrl where the bank's page redirects the buyer afterwards
 * @throws DomainError card_declined with the bank's message; not_found if the card does not belong to this business;
 *   hold_ended, payments_unavailable, payment_failed, and as settleHold
 */
export async function payWithSavedCard(
  context: Context,
  scope: BusinessScope,
  { cardId, ...request }: SavedCardPayment,
  returnUrl: string,
): Promise<SettledHold> {
  const db = context.db;
  const cards = stripeAccount(context);
  const row = await findPayment(db, scope, request.holdId);
  if (!row) throw new DomainError("not_found", "We can't find that purchase. Please reload the page.");
  // A repeated or late click: return the payment's outcome.
  if (row.state !== "pending" || !row.stripePaymentIntentId) return settleHold(context, scope, request);
  const intentId = row.stripePaymentIntentId;
  const customerId = await customerOf(db, scope);
  const methods = customerId ? await listCards(cards, customerId).catch(rethrowUnreachable) : [];
  if (!customerId || !methods.some(({ id }) => id === cardId)) {
    throw new DomainError("not_found", "We can't find that card. Please reload the page.");
  }
  // Attach before paying: the exchange must know of a payment to be able to cancel it.
  const { leadId, holdId } = row;
  const attachment = { type: "attach", leadId, holdId, paymentIntentId: intentId } as const;
  const attached = await sendCommand(context, row.region, attachment);
  if (!attached.ok) throw refusalError(attached);
  const result = await confirmWithCard(cards, { intentId, customerId, cardId, returnUrl });
  if (result.outcome === "declined") throw new DomainError("card_declined", result.message);
  return settleHold(context, scope, request);
}
