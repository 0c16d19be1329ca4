/** Reads a request for its customer, who has a secret link to it. */
import { and, asc, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";

import { callDeadline, canAnswer, type ClockPurchase, clockState } from "../../../contract/call-clock.ts";
import type { CustomerRequest, RequestStep } from "../../../contract/request-links.ts";
import { hashToken } from "../../identity/auth/tokens.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, requestLinks, users } from "../../platform/db/schema.ts";
import type { LeadRow } from "../rules.ts";
import { contactPreferenceOf } from "../views.ts";

type Link = { lead: LeadRow; tokenHash: string };

/** Returns the request that a link opens. Null for an unknown link, and for a withdrawn or erased request. */
export async function findRequestByToken(db: Db, token: string): Promise<Link | null> {
  const tokenHash = hashToken(token);
  const [row] = await db
    .select({ lead: leads })
    .from(requestLinks)
    .innerJoin(leads, eq(leads.id, requestLinks.leadId))
    .where(and(eq(requestLinks.tokenHash, tokenHash), isNull(leads.erasedAt), ne(leads.status, "withdrawn")));
  return row ? { lead: row.lead, tokenHash } : null;
}

const STAGE_STEPS = [
  ["called", "calledAt"],
  ["quoted", "quoteSentAt"],
  ["booked", "jobBookedAt"],
  ["done", "jobCompleteAt"],
] as const satisfies readonly (readonly [RequestStep, keyof typeof leadPurchases.$inferSelect])[];

const CLOCK_COLUMNS = {
  purchasedAt: leadPurchases.purchasedAt,
  salesStage: leadPurchases.salesStage,
  lastContactAt: leadPurchases.lastContactAt,
  clockEndsAt: leadPurchases.clockEndsAt,
  callClock: leadPurchases.callClock,
};

/** Returns "Did they call?" for the customer's page; null for a purchase without a clock. */
function toCallQuestion(clock: ClockPurchase, now: number): CustomerRequest["call"] {
  const state = clockState(clock);
  if (state === null) return null;
  const { answer = null, answeredAt = 0, askedAgainAt = 0 } = clock.callClock ?? {};
  const isAskedAgain = state === "asked_again" && answeredAt <= askedAgainAt;
  return { canAnswer: canAnswer(clock, now), answer, callBy: callDeadline(clock, now), isAskedAgain };
}

/** Returns the sale of a request, with the buyer's current name and phone; null if it is not sold. */
async function findSale(db: Db, leadId: string) {
  const [sale] = await db
    .select({
      takenAt: leadPurchases.purchasedAt,
      calledAt: leadPurchases.calledAt,
      quoteSentAt: leadPurchases.quoteSentAt,
      jobBookedAt: leadPurchases.jobBookedAt,
      jobCompleteAt: leadPurchases.jobCompleteAt,
      clock: CLOCK_COLUMNS,
      name: sql<string>`coalesce(${users.companyName}, ${leadPurchases.buyerCompany}, ${leadPurchases.buyerName})`,
      phone: sql<string | null>`coalesce(${users.phone}, ${leadPurchases.buyerPhone})`,
    })
    .from(leadPurchases)
    .innerJoin(users, eq(users.id, leadPurchases.buyerId))
    .where(
      and(
        eq(leadPurchases.leadId, leadId),
        eq(leadPurchases.paymentStatus, "completed"),
        isNull(leadPurchases.removedAt),
      ),
    );
  return sale ?? null;
}

async function isWithdrawalPending(db: Db, leadId: string): Promise<boolean> {
  const asked = and(eq(requestLinks.leadId, leadId), isNotNull(requestLinks.withdrawalAskedAt));
  return (
    (await db.select({ at: requestLinks.createdAt }).from(requestLinks).where(asked).limit(1)).length > 0
  );
}

/** Returns a request as its customer sees it. A quarantined request looks like one that was only just received. */
export async function viewForCustomer(db: Db, lead: LeadRow, now: number): Promise<CustomerRequest> {
  const [sale, isPending] = await Promise.all([findSale(db, lead.id), isWithdrawalPending(db, lead.id)]);
  const steps: CustomerRequest["steps"] = [{ step: "received", at: lead.createdAt }];
  const wasListed = lead.listingState === "listed" || lead.status !== "available" || sale !== null;
  if (wasListed) steps.push({ step: "listed", at: null });
  if (sale) {
    steps.push({ step: "taken", at: sale.takenAt });
    for (const [step, column] of STAGE_STEPS)
      if (sale[column] !== null) steps.push({ step, at: sale[column] });
  }
  return {
    reference: lead.reference,
    services: lead.serviceType,
    place: lead.suburbName ? [lead.suburbName, lead.suburbPostcode].filter(Boolean).join(" ") : null,
    steps,
    call: sale && toCallQuestion(sale.clock, now),
    provider: sale && { name: sale.name, phone: sale.phone },
    isExpired: lead.status === "expired" && sale === null,
    isWithdrawalPending: isPending,
    contact: { ...contactPreferenceOf(lead), hasEmail: lead.customerEmail !== null },
  };
}

/** Returns the requests that a customer asked to withdraw while a provider was paying, oldest first. */
export async function listPendingWithdrawals(db: Db, limit: number): Promise<LeadRow[]> {
  const rows = await db
    .select({ lead: leads })
    .from(requestLinks)
    .innerJoin(leads, eq(leads.id, requestLinks.leadId))
    .where(sql`${requestLinks.withdrawalAskedAt} IS NOT NULL`)
    .orderBy(asc(requestLinks.withdrawalAskedAt))
    .limit(limit);
  return rows.map(({ lead }) => lead);
}
