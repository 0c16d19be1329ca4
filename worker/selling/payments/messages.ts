/** Messages to buyers about holds, late payments and saved cards. */
import { and, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { centsToText } from "../../../contract/money.ts";
import { greetingOf } from "../../../contract/names.ts";
import { formatCard } from "../../../contract/payments.ts";
import { SYDNEY, sydneyMonth } from "../../../contract/sydney-time.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { findAccount } from "../../identity/messages.ts";
import { findOwnLead } from "../../leads/message-queries.ts";
import { dollars, factsOf, leadLink, placeOf, replacing } from "../../leads/message-words.ts";
import { hasWindowOf } from "../../live/room.ts";
import { toDevices } from "../../outbox/commands.ts";
import { checkAgainAt, type Loading, mailMessage, pushMessage, UNWANTED } from "../../outbox/message.ts";
import type { Context } from "../../platform/context.ts";
import { pushDevices } from "../../platform/db/messages.ts";
import { payments } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { log } from "../../platform/log.ts";
import type { UserRow } from "../../platform/caller.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { findExpiringCards } from "./stripe-cards.ts";
import { acceptsCards } from "./stripe.ts";

/** Returns the devices of the buyer in a hold's ledger row. */
const toHolder = (holdId: string) =>
  toDevices(
    eq(payments.holdId, holdId),
    sql`${payments} JOIN ${pushDevices} ON ${pushDevices.userId} = ${payments.buyerId}`,
  );

/** Returns a lead's state from its exchange, because D1 does not store holds. */
async function stateOf(env: Context, lead: { id: string; region: string }): Promise<string | undefined> {
  const [found] = await withTimeout(exchangeOf(env, lead.region)!.recordsOf([lead.id]));
  return found?.state;
}

/**
 * A hold's warning is due this long before the hold expires, in ms. The sweep runs once a minute, so the warning arrives
 * 30 to 90 seconds before the end. It shows a clock time, because its delay varies.
 */
const WARNING_LEAD_MS = 90_000;
/** The warning expires this long before the hold does. */
const WARNING_EXPIRY_MS = 10_000;
/** No warning is sent before the hold is this old. */
const MIN_HOLD_AGE_MS = 30_000;
/** Delay before the warning is checked again while the buyer has an open window. A hold lasts five minutes at most. */
const WINDOW_RETRY_MS = 30_000;

const clockFormat = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  hour: "numeric",
  minute: "2-digit",
});

type Hold = { holdId: string; leadId: string };

/** `endsAt`: the exchange's expiry, epoch ms. Must follow the statement that inserts the hold's ledger row. */
export const holdLapsing = pushMessage({
  name: "hold_lapsing",
  reason: "A lead is set aside for the buyer, and the time to pay for it is nearly over.",
  lifetimeMs: WARNING_LEAD_MS,
  to: ({ holdId, endsAt }: Hold & { endsAt: number }, now) => ({
    ...toHolder(holdId),
    due: Math.max(now + MIN_HOLD_AGE_MS, endsAt - WARNING_LEAD_MS),
    expiresAt: endsAt - WARNING_EXPIRY_MS,
  }),
  key: ({ holdId }) => holdId,
  load: async (loading) => {
    const { env, db, message, recipient, now } = loading;
    const { holdId = "", endsAt = 0 } = message.payload;
    const isOpen = and(
      eq(payments.holdId, holdId),
      eq(payments.buyerId, recipient.userId),
      eq(payments.state, "pending"),
      isNotNull(payments.slot),
    );
    const found = await findOwnLead(loading);
    if (!found || (await db.$count(payments, isOpen)) === 0) return UNWANTED;
    if ((await stateOf(env, found.lead)) !== "held") return UNWANTED;
    // A buyer with an open window may still close it, so check again.
    if (await hasWindowOf(env, recipient.businessId, recipient.userId))
      return checkAgainAt(now + WINDOW_RETRY_MS);
    return { ...found.shown, endsAt };
  },
  push: ({ summary, endsAt, origin }) => ({
    title: `Pay by ${clockFormat.format(endsAt)} to keep your lead`,
    body: factsOf(summary, "After that it goes back on the market."),
    navigate: leadLink(origin, summary),
    ...replacing(summary.id, "high"),
  }),
});

export const holdLapsed = pushMessage({
  name: "hold_lapsed",
  reason: "The buyer ran out of time to pay and didn't have Naturestrip open.",
  lifetimeMs: 15 * MINUTE_MS,
  to: ({ holdId }: Hold) => toHolder(holdId),
  key: ({ holdId }) => holdId,
  skipsOpenWindow: true,
  load: async (loading) => {
    const { env, db, message, recipient } = loading;
    const found = await findOwnLead(loading);
    if (!found) return UNWANTED;
    // The buyer is trying again or has bought the lead.
    const isOtherClaim = and(
      eq(payments.leadId, found.lead.id),
      eq(payments.buyerId, recipient.userId),
      // The row of the expired hold may stay open for a moment.
      or(
        and(isNotNull(payments.slot), ne(payments.holdId, message.payload.holdId ?? "")),
        isNotNull(payments.succeededAt),
      ),
    );
    if ((await db.$count(payments, isOtherClaim)) > 0) return UNWANTED;
    return { ...found.shown, isForSale: (await stateOf(env, found.lead)) === "available" };
  },
  push: ({ summary, isForSale, origin }) => ({
    title: isForSale ? "Time's up: your lead is back on the market" : "Time's up: your lead is gone",
    body: factsOf(summary, "You haven't been charged."),
    navigate: isForSale ? leadLink(origin, summary) : `${origin}/dashboard`,
    ...replacing(summary.id, "normal"),
  }),
});

export const paidTooLate = pushMessage({
  name: "paid_too_late",
  reason: "The buyer's payment came when the lead was gone, and is refunded.",
  lifetimeMs: HOUR_MS,
  to: ({ businessId }: { paymentIntentId: string; leadId: string; businessId: string }) =>
    toDevices(eq(pushDevices.userId, businessId)),
  key: ({ paymentIntentId }) => paymentIntentId,
  skipsOpenWindow: true,
  load: async (loading) => {
    const { db, message, recipient } = loading;
    const { paymentIntentId = "" } = message.payload;
    const found = await findOwnLead(loading);
    const [payment] = await db
      .select({ state: payments.state, amountCents: payments.amountCents })
      .from(payments)
      .where(
        and(eq(payments.stripePaymentIntentId, paymentIntentId), eq(payments.buyerId, recipient.userId)),
      );
    const isRefunding = payment?.state === "refund_pending" || payment?.state === "refunded";
    if (!found || !isRefunding) return UNWANTED;
    // The buyer got the lead with another payment.
    const isOtherPurchase = and(
      eq(leadPurchases.leadId, found.lead.id),
      eq(leadPurchases.buyerId, recipient.userId),
      isNull(leadPurchases.removedAt),
    );
    const isTheirs = (await db.$count(leadPurchases, isOtherPurchase)) > 0;
    return { ...found.shown, cents: payment.amountCents, isTheirs };
  },
  push: ({ summary, cents, isTheirs, origin }) => ({
    title: `Your ${dollars(centsToText(cents))} is on its way back`,
    body: isTheirs
      ? `You'd already paid for the lead in ${placeOf(summary)}. It's still yours.`
      : `The lead in ${placeOf(summary)} was gone before your payment arrived.`,
    navigate: `${origin}/receipts`,
    ...replacing(summary.id, "normal"),
  }),
});

/** Delay before another request to Stripe for the cards. */
const STRIPE_RETRY_MS = 15 * MINUTE_MS;

/** Checks an account's cards again: the user may have removed one, or the bank may have renewed it. */
async function loadCards({ env, message, now }: Loading, { stripeCustomerId, isActive, email }: UserRow) {
  const { id: messageId, payload, recipient, template } = message;
  const month = sydneyMonth(now);
  if (!stripeCustomerId || !isActive || email?.toLowerCase() !== recipient) return UNWANTED;
  if (payload.month !== month || !acceptsCards(env)) return UNWANTED;
  try {
    const found = await findExpiringCards(env, stripeCustomerId, now);
    const cards = found.cards.filter(({ id }) => payload.cardIds?.includes(id));
    return cards.length > 0 ? { cards, month, validCard: found.validCard } : UNWANTED;
  } catch (error) {
    // Stripe failed, so a later attempt may work.
    log("warn", "email_words_wait", { messageId, template, error });
    return checkAgainAt(now + STRIPE_RETRY_MS);
  }
}

const listFormat = new Intl.ListFormat("en-AU", { type: "conjunction" });
const dayFormat = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", day: "numeric", month: "long" });

/** `month`: the cards' last one, such as "2026-11". */
export const cardExpiring = mailMessage({
  name: "card_expiring",
  reason: "Cards they saved for buying leads expire at the end of the month.",
  // The email also expires with the card's last month, if that is earlier.
  lifetimeMs: 31 * DAY_MS,
  key: ({ month, cardIds }: { month: string; cardIds: string[] }) => `${month}:${cardIds.join(",")}`,
  load: async (loading) => {
    const account = await findAccount(loading);
    if (!account) return UNWANTED;
    const cards = await loadCards(loading, account.user);
    return "cards" in cards ? { firstName: account.firstName, ...cards } : cards;
  },
  email: ({ firstName, cards, month, validCard }, { siteUrl }) => {
    const isOne = cards.length === 1;
    const names = listFormat.format(cards.map(formatCard));
    const [year, index] = month.split("-").map(Number) as [number, number];
    const last = dayFormat.format(Date.UTC(year, index, 0));
    const first = dayFormat.format(Date.UTC(year, index, 1));
    const others = isOne ? "that card" : "those cards";
    return {
      subject: `Your ${names} ${isOne ? "expires" : "expire"} this month`,
      parts: [
        greetingOf(firstName),
        `Your saved ${names} ${isOne ? "expires" : "expire"} on ${last}.`,
        validCard
          ? `From ${first} you can't pay with ${others}. You can still buy leads with one tap, using your ${formatCard(validCard)}.`
          : `From ${first} you'll need to enter a card to buy a lead.`,
        "Got a new card? Next time you buy a lead, choose “Another card”, enter its details and tick “Save this card”. You can see and remove your cards in Settings, under Bank Details.",
        ...(siteUrl ? [{ link: `${siteUrl}/settings?tab=bank#cards`, words: "See your cards" }] : []),
        "Nothing else changes. Your account, leads and receipts stay as they are.",
      ],
    };
  },
});
