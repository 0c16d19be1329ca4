/** Builds messages about a lead the recipient is buying, at sending time, or finds them no longer needed. */
import { and, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";

import { type Db, database } from "../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../platform/db/schema.ts";
import type { Env } from "../platform/env.ts";
import { exchangeOf } from "../exchange/stub.ts";
import type { LeadRow } from "../leads/rules.ts";
import { maskedSummary } from "../leads/views.ts";
import { hasWindowOf } from "../live/room.ts";
import { inTime } from "../platform/patience.ts";
import type { MessagePayload, OwnLeadTemplate } from "../platform/db/message-types.ts";
import { findQuietHours, type Hearer } from "./queries.ts";
import { endOfQuiet } from "../outbox/quiet-rules.ts";
import {
  customerAnswered,
  holdLapsed,
  holdLapsing,
  leadWon,
  paidTooLate,
  type PushContent,
} from "./templates.ts";

/** The content to send now, or when to check again (`held`: soon; `waitUntil`: epoch ms), or not needed any more. */
export type OwnLeadVerdict = PushContent | "held" | "unwanted" | { waitUntil: number };

type About = { env: Env; db: Db; lead: LeadRow; hearer: Hearer; payload: MessagePayload; now: number };

const OWN_LEAD: Readonly<Record<OwnLeadTemplate, (about: About) => Promise<OwnLeadVerdict>>> = {
  lead_won: aboutSale,
  hold_lapsing: aboutHold,
  hold_lapsed: aboutLapse,
  paid_too_late: aboutRefund,
  customer_answered: aboutAnswer,
};

/** Whether a template is about a lead that the recipient is buying. */
export const isOfOwnLead = (template: string): template is OwnLeadTemplate =>
  Object.hasOwn(OWN_LEAD, template);

/**
 * Builds the content from the current state. A recipient with an open window sees the same news there, so none is
 * sent.
 */
export async function aboutOwnLead(
  env: Env,
  { template, payload }: { template: OwnLeadTemplate; payload: MessagePayload },
  hearer: Hearer,
  now: number,
): Promise<OwnLeadVerdict> {
  const db = database(env.DB);
  const [lead] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.id, payload.leadId ?? ""), isNull(leads.erasedAt)));
  return lead ? OWN_LEAD[template]({ env, db, lead, hearer, payload, now }) : "unwanted";
}

/** Only owners buy, and an owner's business has the owner's id. */
const isLooking = ({ env, hearer }: About) => hasWindowOf(env, hearer.userId, hearer.userId);

async function aboutSale(about: About): Promise<OwnLeadVerdict> {
  const { db, lead, hearer, payload, now } = about;
  const { userId, origin } = hearer;
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
  if (!sale || (await isLooking(about))) return "unwanted";
  const isGiven = sale.mode === "assigned";
  // A buyer is awake. A provider who is given a lead may be asleep.
  const waitUntil = isGiven ? endOfQuiet(now, await findQuietHours(db, { userId })) : null;
  return waitUntil === null
    ? leadWon(maskedSummary(lead), { purchaseId: sale.id, isGiven, origin })
    : { waitUntil };
}

/** Returns the lead's state at its exchange: D1 does not follow holds. */
async function stateOf({ env, lead }: About): Promise<string | undefined> {
  const [found] = await inTime(exchangeOf(env, lead.region)!.statesOf([lead.id]));
  return found?.state;
}

async function aboutHold(about: About): Promise<OwnLeadVerdict> {
  const { db, lead, hearer, payload } = about;
  const { holdId = "", endsAt = 0 } = payload;
  const isOpen = and(
    eq(payments.holdId, holdId),
    eq(payments.buyerId, hearer.userId),
    eq(payments.state, "pending"),
    isNotNull(payments.slot),
  );
  const [row] = await db.select({ id: payments.id }).from(payments).where(isOpen);
  if (!row || (await stateOf(about)) !== "held") return "unwanted";
  // A buyer with an open window may still leave it.
  if (await isLooking(about)) return "held";
  return holdLapsing(maskedSummary(lead), endsAt, hearer.origin);
}

async function aboutLapse(about: About): Promise<OwnLeadVerdict> {
  const { db, lead, hearer, payload } = about;
  const theirs = and(
    eq(payments.leadId, lead.id),
    eq(payments.buyerId, hearer.userId),
    // The row of the lapsed hold may stay open for a moment longer.
    or(
      and(isNotNull(payments.slot), ne(payments.holdId, payload.holdId ?? "")),
      isNotNull(payments.succeededAt),
    ),
  );
  // The buyer is trying again, or has bought the lead after all.
  const [again] = await db.select({ id: payments.id }).from(payments).where(theirs).limit(1);
  if (again || (await isLooking(about))) return "unwanted";
  return holdLapsed(maskedSummary(lead), (await stateOf(about)) === "available", hearer.origin);
}

async function aboutRefund(about: About): Promise<OwnLeadVerdict> {
  const { db, lead, hearer, payload } = about;
  const [row] = await db
    .select({ state: payments.state, amountCents: payments.amountCents })
    .from(payments)
    .where(
      and(
        eq(payments.stripePaymentIntentId, payload.paymentIntentId ?? ""),
        eq(payments.buyerId, hearer.userId),
      ),
    );
  const goesBack = row?.state === "refund_pending" || row?.state === "refunded";
  if (!goesBack || (await isLooking(about))) return "unwanted";
  const theirs = and(
    eq(leadPurchases.leadId, lead.id),
    eq(leadPurchases.buyerId, hearer.userId),
    isNull(leadPurchases.removedAt),
  );
  const [own] = await db.select({ id: leadPurchases.id }).from(leadPurchases).where(theirs).limit(1);
  return paidTooLate(maskedSummary(lead), {
    cents: row.amountCents,
    isTheirs: own !== undefined,
    origin: hearer.origin,
  });
}

/** Sent until a member of the business has read the answer. */
async function aboutAnswer(about: About): Promise<OwnLeadVerdict> {
  const { db, lead, hearer, payload, now } = about;
  const { userId, origin } = hearer;
  const unread = and(
    eq(leadPurchases.id, payload.purchaseId ?? ""),
    eq(leadPurchases.leadId, lead.id),
    eq(leadPurchases.buyerId, userId),
    isNull(leadPurchases.removedAt),
    sql`${leadPurchases.answeredAt} > coalesce(${leadPurchases.answersSeenAt}, 0)`,
  );
  const [purchase] = await db.select({ id: leadPurchases.id }).from(leadPurchases).where(unread);
  if (!purchase || (await isLooking(about))) return "unwanted";
  // The customer can wait for the morning as well.
  const waitUntil = endOfQuiet(now, await findQuietHours(db, { userId }));
  return waitUntil === null
    ? customerAnswered(maskedSummary(lead), { purchaseId: purchase.id, origin })
    : { waitUntil };
}
