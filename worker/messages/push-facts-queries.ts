/** Loads the facts of notifications when they are sent, and drops those that are no longer needed. */
import { and, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";

import { callDeadline } from "../../contract/call-clock.ts";
import { clockState, isCalled } from "../../contract/call-state.ts";
import { countMentions } from "../../contract/mentions.ts";
import { isAnnounced } from "../../contract/guarantee.ts";
import type { OwnUpdateKind } from "../../contract/request-links.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { exchangeOf } from "../exchange/stub.ts";
import { findTeamAlerts, listTeammates } from "../identity/team/queries.ts";
import type { LeadRow } from "../leads/rules.ts";
import { maskedSummary } from "../leads/views.ts";
import { hasWindowOf } from "../live/room.ts";
import { digestPlan, endOfQuiet, endOfPauseOrQuiet } from "../outbox/quiet-rules.ts";
import type { PushFacts } from "../outbox/template.ts";
import type { Db } from "../platform/db/client.ts";
import {
  guaranteeCases,
  leadPurchases,
  leads,
  payments,
  rescueOffers,
  reviews,
  users,
} from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { newId } from "../platform/ids.ts";
import { withTimeout } from "../platform/timeout.ts";
import { isWanted } from "./alert-rules.ts";
import { type findLeadsToAlert, findQuietHours, listForDigest, type Recipient } from "./queries.ts";
import { checkAgainAt, type MessageRow, type Skip, UNWANTED } from "./sender.ts";

/** Delay before a held lead's message is checked again. A hold lasts five minutes at most. */
const HELD_MS = 30_000;

type CurrentLeads = Awaited<ReturnType<typeof findLeadsToAlert>>;

type Loading = {
  env: Context;
  db: Db;
  message: MessageRow;
  recipient: Recipient;
  /** Current leads of the messages in the group. */
  currentLeads: CurrentLeads;
  now: number;
};
type Loaders = { [About in keyof PushFacts]: (loading: Loading) => Promise<PushFacts[About] | Skip> };

/**
 * Postpones a market message during the recipient's pause or quiet hours, even if they were set after the message was
 * written. Does not postpone messages about the recipient's own purchases, or tests.
 * @param now epoch ms
 * @returns a verdict with the replacement digest, or without one if the lead is gone; null if the message may be sent
 * now
 */
export function postponeToDigest(
  { template, payload }: MessageRow,
  recipient: Recipient,
  currentLeads: CurrentLeads,
  now: number,
): Skip | null {
  const isMarketMessage = template === "new_lead" || template === "lead_digest";
  const due = isMarketMessage ? endOfPauseOrQuiet(now, recipient.quietHours, recipient.pausedUntil) : null;
  // On the night the clocks change, quiet hours may end in the skipped hour. Then they are over already.
  if (due === null || due <= now) return null;
  const lead = currentLeads.get(payload.leadId ?? "");
  const since = payload.since ?? (lead?.standing === "gone" ? undefined : lead?.summary.createdAt);
  if (since === undefined) return UNWANTED;
  const { key: dedupeKey, ...plan } = digestPlan(recipient.id, due);
  const own = { id: newId("msg"), recipient: recipient.id, userId: recipient.userId };
  return { ...UNWANTED, replacement: { ...own, ...plan, dedupeKey, payload: { since }, createdAt: now } };
}

async function loadNewLead({ message, recipient, currentLeads, now }: Loading) {
  const lead = currentLeads.get(message.payload.leadId ?? "");
  if (!recipient.mayBuy || !lead || lead.standing === "gone") return UNWANTED;
  const { summary, size } = lead;
  if (!isWanted({ ...summary, size }, recipient)) return UNWANTED;
  return lead.standing === "held" ? checkAgainAt(now + HELD_MS) : { summary, origin: recipient.origin };
}

async function loadDigest({ env, message, recipient, now }: Loading) {
  if (!recipient.mayBuy) return UNWANTED;
  const leadsLeft = await listForDigest(env, recipient, message.payload.since ?? now, now);
  return leadsLeft.length > 0 ? { leads: leadsLeft, origin: recipient.origin } : UNWANTED;
}

/** A lead that the recipient is buying or has bought. `shown`: the facts that every such message contains. */
type OwnLead = Loading & {
  lead: LeadRow;
  shown: { summary: ReturnType<typeof maskedSummary>; origin: string };
};

/**
 * Adds the lead that the recipient is buying or has bought. Loaders then check for an open window, which shows the same
 * news.
 */
const withOwnLead =
  <Facts>(load: (about: OwnLead) => Promise<Facts | Skip>) =>
  async (loading: Loading): Promise<Facts | Skip> => {
    const { db, message, recipient } = loading;
    if (!recipient.mayBuy) return UNWANTED;
    const [lead] = await db
      .select()
      .from(leads)
      .where(and(eq(leads.id, message.payload.leadId ?? ""), isNull(leads.erasedAt)));
    if (!lead) return UNWANTED;
    return load({ ...loading, lead, shown: { summary: maskedSummary(lead), origin: recipient.origin } });
  };

/** Returns whether the recipient has an open window. Only owners buy, and an owner's business has the owner's id. */
const hasOpenWindow = ({ env, recipient }: Loading) => hasWindowOf(env, recipient.userId, recipient.userId);

async function loadSale(about: OwnLead) {
  const {
    db,
    recipient,
    message: { payload },
    now,
  } = about;
  const { userId } = recipient;
  const [sale] = await db
    .select({ id: leadPurchases.id, mode: leadPurchases.mode })
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.id, payload.purchaseId ?? ""),
        eq(leadPurchases.buyerId, userId),
        eq(leadPurchases.paymentStatus, "completed"),
        isNull(leadPurchases.removedAt),
      ),
    );
  if (!sale || (await hasOpenWindow(about))) return UNWANTED;
  const isGiven = sale.mode === "assigned";
  // A buyer is awake. A provider may be asleep when an admin assigns a lead.
  const waitUntil = isGiven ? endOfQuiet(now, await findQuietHours(db, { userId })) : null;
  return waitUntil === null ? { ...about.shown, purchaseId: sale.id, isGiven } : checkAgainAt(waitUntil);
}

/** Returns the lead's state from its exchange, because D1 does not store holds. */
async function stateOf({ env, lead }: OwnLead): Promise<string | undefined> {
  const [found] = await withTimeout(exchangeOf(env, lead.region)!.recordsOf([lead.id]));
  return found?.state;
}

async function loadHold(about: OwnLead) {
  const { db, recipient, message, now } = about;
  const { holdId = "", endsAt = 0 } = message.payload;
  const isOpen = and(
    eq(payments.holdId, holdId),
    eq(payments.buyerId, recipient.userId),
    eq(payments.state, "pending"),
    isNotNull(payments.slot),
  );
  const [row] = await db.select({ id: payments.id }).from(payments).where(isOpen);
  if (!row || (await stateOf(about)) !== "held") return UNWANTED;
  // A buyer with an open window may still close it, so check again.
  if (await hasOpenWindow(about)) return checkAgainAt(now + HELD_MS);
  return { ...about.shown, endsAt };
}

async function loadLapse(about: OwnLead) {
  const {
    db,
    lead,
    recipient,
    message: { payload },
  } = about;
  const isOtherClaim = and(
    eq(payments.leadId, lead.id),
    eq(payments.buyerId, recipient.userId),
    // The row of the expired hold may stay open for a moment.
    or(
      and(isNotNull(payments.slot), ne(payments.holdId, payload.holdId ?? "")),
      isNotNull(payments.succeededAt),
    ),
  );
  // The buyer is trying again or has bought the lead.
  const [again] = await db.select({ id: payments.id }).from(payments).where(isOtherClaim).limit(1);
  if (again || (await hasOpenWindow(about))) return UNWANTED;
  return { ...about.shown, isForSale: (await stateOf(about)) === "available" };
}

async function loadRefund(about: OwnLead) {
  const {
    db,
    lead,
    recipient,
    message: { payload },
  } = about;
  const [row] = await db
    .select({ state: payments.state, amountCents: payments.amountCents })
    .from(payments)
    .where(
      and(
        eq(payments.stripePaymentIntentId, payload.paymentIntentId ?? ""),
        eq(payments.buyerId, recipient.userId),
      ),
    );
  const isRefunding = row?.state === "refund_pending" || row?.state === "refunded";
  if (!isRefunding || (await hasOpenWindow(about))) return UNWANTED;
  const isOtherClaim = and(
    eq(leadPurchases.leadId, lead.id),
    eq(leadPurchases.buyerId, recipient.userId),
    isNull(leadPurchases.removedAt),
  );
  const [own] = await db.select({ id: leadPurchases.id }).from(leadPurchases).where(isOtherClaim).limit(1);
  return { ...about.shown, cents: row.amountCents, isTheirs: own !== undefined };
}

/** Loads the facts of a customer's reply. Unwanted once a member of the business has read it. */
async function loadAnswer(about: OwnLead) {
  const {
    db,
    lead,
    recipient,
    message: { payload },
    now,
  } = about;
  const { userId } = recipient;
  const unread = and(
    eq(leadPurchases.id, payload.purchaseId ?? ""),
    eq(leadPurchases.leadId, lead.id),
    eq(leadPurchases.buyerId, userId),
    isNull(leadPurchases.removedAt),
    sql`${leadPurchases.answeredAt} > coalesce(${leadPurchases.answersSeenAt}, 0)`,
  );
  const [purchase] = await db.select({ id: leadPurchases.id }).from(leadPurchases).where(unread);
  if (!purchase || (await hasOpenWindow(about))) return UNWANTED;
  // The customer can wait until morning too.
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId }));
  return waitUntil === null ? { ...about.shown, purchaseId: purchase.id } : checkAgainAt(waitUntil);
}

/** Returns the recipient's live purchase; null if it was removed or refunded. */
async function findClockPurchase({ db, recipient, message: { payload } }: OwnLead) {
  const [purchase] = await db
    .select()
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.id, payload.purchaseId ?? ""),
        eq(leadPurchases.buyerId, recipient.userId),
        ne(leadPurchases.paymentStatus, "refunded"),
        isNull(leadPurchases.removedAt),
      ),
    );
  return purchase ?? null;
}

/** Loads the facts of the reminder to call. Unwanted once the buyer has called or the time is over. */
async function loadCallReminder(about: OwnLead) {
  const { db, recipient, now } = about;
  const purchase = await findClockPurchase(about);
  if (!purchase || clockState(purchase) !== "running" || now >= purchase.clockEndsAt!) return UNWANTED;
  if (await hasOpenWindow(about)) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId: recipient.userId }));
  if (waitUntil !== null) return checkAgainAt(waitUntil);
  return { ...about.shown, purchaseId: purchase.id, endsAt: purchase.clockEndsAt! };
}

/** Loads the customer's current response to "Did they call?". Unwanted if they no longer say so, or got a call since. */
async function loadCallAnswer(about: OwnLead) {
  const { db, recipient, now } = about;
  const purchase = await findClockPurchase(about);
  const answer = purchase?.callClock?.answer;
  if (!purchase || (answer !== "not_yet" && answer !== "never_asked")) return UNWANTED;
  const isSettled = ["over", "rescued"].includes(clockState(purchase)!) || isCalled(purchase);
  if ((answer === "not_yet" && isSettled) || (await hasOpenWindow(about))) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId: recipient.userId }));
  if (waitUntil !== null) return checkAgainAt(waitUntil);
  const endsAt = callDeadline(purchase, now);
  return { ...about.shown, purchaseId: purchase.id, answer, endsAt } as const;
}

/** Loads the offer of a rescued lead. Unwanted once the offer has ended. */
async function loadRescueOffer({ db, recipient, lead, shown, now }: OwnLead) {
  const [offer] = await db
    .select()
    .from(rescueOffers)
    .where(and(eq(rescueOffers.leadId, lead.id), eq(rescueOffers.businessId, recipient.userId)));
  if (!offer || offer.outcome !== null || offer.endsAt <= now) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId: recipient.userId }));
  if (waitUntil !== null) return waitUntil < offer.endsAt ? checkAgainAt(waitUntil) : UNWANTED;
  return { ...shown, endsAt: offer.endsAt };
}

/** Loads the notice that a request went to the next provider. The buyer's open window shows it too. */
async function loadRescued(about: OwnLead) {
  const { db, recipient, now } = about;
  const purchase = await findClockPurchase(about);
  if (!purchase || (await hasOpenWindow(about))) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId: recipient.userId }));
  return waitUntil === null ? { ...about.shown, purchaseId: purchase.id } : checkAgainAt(waitUntil);
}

/** Loads the stars of a new review. */
async function loadReview({ db, recipient, message: { payload }, shown, now }: OwnLead) {
  const [review] = await db
    .select({ stars: reviews.stars })
    .from(reviews)
    .where(and(eq(reviews.purchaseId, payload.purchaseId ?? ""), eq(reviews.businessId, recipient.userId)));
  if (!review?.stars) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId: recipient.userId }));
  return waitUntil === null ? { ...shown, stars: review.stars } : checkAgainAt(waitUntil);
}

/** Loads the lead of a review that an admin hid. The admin may have shown it again. */
async function loadHiddenReview({ db, recipient, message: { payload }, shown, now }: OwnLead) {
  const isHidden = and(
    eq(reviews.purchaseId, payload.purchaseId ?? ""),
    eq(reviews.businessId, recipient.userId),
    isNotNull(reviews.hiddenRule),
  );
  if ((await db.$count(reviews, isHidden)) === 0) return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, recipient));
  return waitUntil === null ? shown : checkAgainAt(waitUntil);
}

/** Loads a decision about a free claim. A later decision has its own message. The suburb stays after an erasure. */
async function loadFreeClaim(loading: Loading) {
  const { db, recipient, message, now } = loading;
  const { purchaseId = "", kind } = message.payload;
  if (!recipient.mayBuy) return UNWANTED;
  const [row] = await db
    .select({ state: guaranteeCases.state, lead: leads })
    .from(guaranteeCases)
    .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
    .where(and(eq(guaranteeCases.purchaseId, purchaseId), eq(guaranteeCases.buyerId, recipient.userId)));
  if (!row || row.state !== kind || !isAnnounced(row.state) || (await hasOpenWindow(loading)))
    return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, recipient));
  if (waitUntil !== null) return checkAgainAt(waitUntil);
  return { summary: maskedSummary(row.lead), origin: recipient.origin, purchaseId, state: row.state };
}

/** Loads the facts of a customer's update. The job and the suburb stay after an erasure. */
async function loadUpdate(loading: Loading) {
  const { db, recipient, message, now } = loading;
  const { purchaseId = "", kind } = message.payload;
  if (!recipient.mayBuy) return UNWANTED;
  const [row] = await db
    .select({ lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.id, purchaseId),
        eq(leadPurchases.buyerId, recipient.userId),
        isNull(leadPurchases.removedAt),
      ),
    );
  if (!row || (row.lead.erasedAt !== null && kind !== "erased") || (await hasOpenWindow(loading)))
    return UNWANTED;
  const waitUntil = endOfQuiet(now, await findQuietHours(db, recipient));
  if (waitUntil !== null) return checkAgainAt(waitUntil);
  const summary = maskedSummary(row.lead);
  return { summary, origin: recipient.origin, purchaseId, kind: kind as OwnUpdateKind };
}

const { id, salesStage, salesNotes, paymentStatus } = leadPurchases;

/** Returns an open purchase of the recipient's business, with its lead. */
async function findOwned(db: Db, purchaseId: string, recipient: Recipient) {
  const [row] = await db
    .select({ purchase: { id, salesStage, salesNotes, paymentStatus }, lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.id, purchaseId),
        eq(leadPurchases.buyerId, recipient.businessId),
        isNull(leadPurchases.removedAt),
        eq(leadPurchases.isArchived, false),
        isNull(leads.erasedAt),
      ),
    );
  return row ?? null;
}

/** Returns the first name of a note's author; null if the author has left. */
async function findAuthor(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ firstName: users.firstName })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removedAt)));
  return row?.firstName ?? null;
}

/** Returns the team alerts that a recipient may get. No other user decides about an owner's alerts. */
const findAllowedAlerts = async (db: Db, { isTeam, userId }: Recipient) =>
  isTeam ? findTeamAlerts(db, userId) : { sales: false, mentions: true };

type Owned = NonNullable<Awaited<ReturnType<typeof findOwned>>>;

/** Returns the facts of a team message, or a verdict to check again when quiet hours end. */
async function factsOutsideQuietHours({ db, recipient, now }: Loading, { purchase, lead }: Owned) {
  const waitUntil = endOfQuiet(now, await findQuietHours(db, recipient));
  if (waitUntil !== null) return checkAgainAt(waitUntil);
  const tab = PIPELINE_TILES.find(({ stage }) => stage === purchase.salesStage)?.id ?? "leads";
  return { summary: maskedSummary(lead), purchaseId: purchase.id, tab, origin: recipient.origin };
}

/** Loads the facts of a mention. The notes must still contain it, and the owner must still allow such alerts. */
async function loadMention(loading: Loading) {
  const { db, message, recipient } = loading;
  const found = await findOwned(db, message.payload.purchaseId ?? "", recipient);
  if (!found || !(await findAllowedAlerts(db, recipient)).mentions) return UNWANTED;
  const mentions = countMentions(found.purchase.salesNotes ?? "", await listTeammates(db, recipient));
  if (!mentions.has(recipient.userId)) return UNWANTED;
  const facts = await factsOutsideQuietHours(loading, found);
  return "isSkipped" in facts
    ? facts
    : { ...facts, by: await findAuthor(db, message.payload.byUserId ?? "") };
}

async function loadTeamSale(loading: Loading) {
  const { db, message, recipient } = loading;
  const found = await findOwned(db, message.payload.purchaseId ?? "", recipient);
  if (!found || !(await findAllowedAlerts(db, recipient)).sales) return UNWANTED;
  return found.purchase.paymentStatus === "completed" ? factsOutsideQuietHours(loading, found) : UNWANTED;
}

const LOADERS: Loaders = {
  newLead: loadNewLead,
  digest: loadDigest,
  sale: withOwnLead(loadSale),
  hold: withOwnLead(loadHold),
  lapse: withOwnLead(loadLapse),
  refund: withOwnLead(loadRefund),
  answer: withOwnLead(loadAnswer),
  callReminder: withOwnLead(loadCallReminder),
  callAnswer: withOwnLead(loadCallAnswer),
  rescueOffer: withOwnLead(loadRescueOffer),
  rescued: withOwnLead(loadRescued),
  review: withOwnLead(loadReview),
  hiddenOwnReview: withOwnLead(loadHiddenReview),
  freeClaim: loadFreeClaim,
  update: loadUpdate,
  mention: loadMention,
  teamSale: loadTeamSale,
  test: async ({ recipient: { origin, isTeam } }) => ({ origin, isTeam }),
};

/** Loads the facts of a notification from the current state. */
export function loadPushFacts(
  context: Context,
  about: keyof PushFacts,
  loading: Omit<Loading, "env" | "db">,
): Promise<PushFacts[keyof PushFacts] | Skip> {
  return LOADERS[about]({ env: context, db: context.db, ...loading });
}
