/** Reads a request for its customer, who has a secret link to it. */
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, ne, sql } from "drizzle-orm";

import { callDeadline, canAnswer, type ClockPurchase } from "../../../contract/call-clock.ts";
import { CALLED_STAMPS, clockState, isCalled } from "../../../contract/call-state.ts";
import type { CustomerRequest, RequestStep } from "../../../contract/request-links.ts";
import { listShownChecks } from "../../identity/checks/queries.ts";
import { shownSlug } from "../../identity/providers/queries.ts";
import { calledOffId, pendingId } from "../../leads/customer-update-queries.ts";
import { listPhotosForCustomer } from "../../leads/photos/queries.ts";
import { BUYER_NAMES, publicName } from "../../leads/public-name.ts";
import { findCurrentLead, type RequestLink } from "../../leads/request-link-store.ts";
import { formatLeadSuburb, type LeadRow } from "../../leads/rules.ts";
import { contactPreferenceOf, pick } from "../../leads/views.ts";
import { canInviteReview, hasVoidingClaim } from "../../pipeline/reviews/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { requestLinks } from "../../leads/tables.ts";
import { reviews } from "../../pipeline/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { customerUpdates, guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { applyChange, differences, maxDigitTries, readStoredChange, shownJob } from "../changes/rules.ts";

const STAGE_STEPS = [
  ["called", "calledAt"],
  ["quoted", "quoteSentAt"],
  ["booked", "jobBookedAt"],
  ["done", "jobCompleteAt"],
] as const satisfies readonly (readonly [RequestStep, keyof typeof leadPurchases.$inferSelect])[];

const CLOCK_COLUMNS = {
  purchasedAt: leadPurchases.purchasedAt,
  salesStage: leadPurchases.salesStage,
  reachedAt: leadPurchases.reachedAt,
  tries: leadPurchases.tries,
  ...pick(getTableColumns(leadPurchases), CALLED_STAMPS),
  clockEndsAt: leadPurchases.clockEndsAt,
  callClock: leadPurchases.callClock,
};

/** Returns "Did they call?" for the customer's page; null for a purchase without a clock. */
function toCallQuestion(clock: ClockPurchase, now: number): CustomerRequest["call"] {
  const state = clockState(clock);
  if (state === null) return null;
  const { answer = null, answeredAt = 0, askedAgainAt = 0, rescuedAt, rescueLeadId } = clock.callClock ?? {};
  const isAskedAgain = state === "asked_again" && answeredAt <= askedAgainAt;
  const isWithAdmin = rescuedAt !== undefined && rescueLeadId === undefined;
  const callBy = callDeadline(clock, now);
  const isContactedSince = answer === "not_yet" && isCalled(clock);
  return { canAnswer: canAnswer(clock, now), answer, callBy, isContactedSince, isAskedAgain, isWithAdmin };
}

/** Returns whether the customer has yet to say if they missed the provider's calls. */
function isAskedAboutCalls(
  found: Pick<typeof guaranteeCases.$inferSelect, "state" | "dueAt"> | null,
  now: number,
): boolean {
  return found?.state === "asked" && now < (found.dueAt ?? 0);
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
      reviewDueAt: leadPurchases.reviewDueAt,
      removedAt: leadPurchases.removedAt,
      paymentStatus: leadPurchases.paymentStatus,
      hasVoidingClaim: hasVoidingClaim("lead_purchases.id"),
      clock: CLOCK_COLUMNS,
      buyerId: leadPurchases.buyerId,
      guarantee: { rule: guaranteeCases.rule, state: guaranteeCases.state, dueAt: guaranteeCases.dueAt },
      names: BUYER_NAMES,
      phone: sql<string | null>`coalesce(${users.phone}, ${leadPurchases.buyerPhone})`,
      slug: shownSlug,
    })
    .from(leadPurchases)
    .innerJoin(users, eq(users.id, leadPurchases.buyerId))
    .leftJoin(guaranteeCases, eq(guaranteeCases.purchaseId, leadPurchases.id))
    .where(
      and(
        eq(leadPurchases.leadId, leadId),
        // While a payment is disputed, the buyer still has the request.
        ne(leadPurchases.paymentStatus, "refunded"),
        isNull(leadPurchases.removedAt),
      ),
    );
  return sale ?? null;
}
type Sale = NonNullable<Awaited<ReturnType<typeof findSale>>>;

async function isWithdrawalPending(db: Db, leadId: string): Promise<boolean> {
  const asked = and(eq(requestLinks.leadId, leadId), isNotNull(requestLinks.withdrawalAskedAt));
  return (
    (await db.select({ at: requestLinks.createdAt }).from(requestLinks).where(asked).limit(1)).length > 0
  );
}

/** Returns the unfinished acts of a request, and whether the job is off. */
async function findOwnActs(db: Db, { lead, first }: RequestLink) {
  const find = (id: string) =>
    db.select({ changes: customerUpdates.changes }).from(customerUpdates).where(eq(customerUpdates.id, id));
  // Three statements in one round trip: with an IN, SQLite may scan the table.
  const [[change], [erasure], [off]] = await db.batch([
    find(pendingId("pending_change", lead.id)),
    find(pendingId("pending_erasure", first.id)),
    find(calledOffId(lead.id)),
  ]);
  const stored = change?.changes as unknown as Record<string, string> | undefined;
  return {
    change: stored ? readStoredChange(stored) : {},
    isErasing: erasure !== undefined,
    isOff: off !== undefined,
  };
}

/** Returns whether the customer can write a review or has written one; null without an invitation, and when it ended. */
async function findReviewState(db: Db, leadId: string, now: number): Promise<CustomerRequest["review"]> {
  const [row] = await db
    .select({ writtenAt: reviews.writtenAt, endsAt: reviews.endsAt })
    .from(reviews)
    .innerJoin(leadPurchases, eq(leadPurchases.id, reviews.purchaseId))
    .where(and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt)))
    .orderBy(desc(leadPurchases.purchasedAt))
    .limit(1);
  if (!row) return null;
  if (row.writtenAt !== null) return "written";
  return now < row.endsAt ? "open" : null;
}

/** Returns whether we will ask the customer for a review, as it looks now. */
const willAskForReview = (sale: Sale, lead: LeadRow, isOff: boolean) =>
  sale.reviewDueAt !== null &&
  canInviteReview({ ...sale, callClock: sale.clock.callClock }, lead, isOff || sale.hasVoidingClaim);

/** Returns a request as its customer sees it. A quarantined request looks like one that was only just received. */
export async function viewForCustomer(db: Db, link: RequestLink, now: number): Promise<CustomerRequest> {
  const { lead, first } = link;
  const isPassedOn = lead.id !== first.id;
  const [sale, firstSale, isPending, acts, photos, review] = await Promise.all([
    findSale(db, lead.id),
    isPassedOn ? findSale(db, first.id) : null,
    isWithdrawalPending(db, first.id),
    findOwnActs(db, link),
    listPhotosForCustomer(db, link),
    findReviewState(db, lead.id, now),
  ]);
  const checks = sale ? await listShownChecks(db, sale.buyerId, now) : [];
  const steps: CustomerRequest["steps"] = [{ step: "received", at: first.createdAt }];
  const wasListed = lead.listingState === "listed" || lead.status !== "available" || sale !== null;
  // While a rescued lead is offered to one provider after the other, it is still pending.
  if (wasListed || isPassedOn) steps.push({ step: "listed", at: isPassedOn ? lead.createdAt : null });
  if (sale) {
    steps.push({ step: "taken", at: sale.takenAt });
    const { answer, answeredAt = null } = sale.clock.callClock ?? {};
    // The customer's own word counts where the buyer logged no call.
    const reached = { ...sale, calledAt: sale.calledAt ?? (answer === "called" ? answeredAt : null) };
    for (const [step, column] of STAGE_STEPS)
      if (reached[column] !== null) steps.push({ step, at: reached[column] });
  }
  const revised = applyChange(lead, acts.change, 0);
  return {
    reference: first.reference,
    services: revised.serviceType,
    place: formatLeadSuburb(lead),
    steps,
    call: sale && toCallQuestion(sale.clock, now),
    review: review ?? (sale && willAskForReview(sale, lead, acts.isOff) ? "later" : null),
    provider: sale && { name: publicName(sale.names), phone: sale.phone, checks, slug: sale.slug },
    isAskedAboutCalls: isAskedAboutCalls(sale?.guarantee ?? null, now),
    isNumberWrong: sale?.guarantee?.rule === "wrong_number" && sale.guarantee.state === "waiting",
    passedOn: isPassedOn ? { by: firstSale && publicName(firstSale.names) } : null,
    isExpired: lead.status === "expired" && sale === null,
    isWithdrawalPending: isPending,
    contact: { ...contactPreferenceOf(lead), hasEmail: lead.customerEmail !== null },
    isCalledOff: acts.isOff,
    isChangePending: differences(lead, acts.change).length > 0,
    isErasurePending: acts.isErasing,
    job: shownJob(revised),
    photos,
    canEnterDigits: first.digitTries < maxDigitTries(first, now),
  };
}

/** Returns the requests that a customer asked to withdraw while a provider was paying, oldest first. */
export async function listPendingWithdrawals(
  db: Db,
  limit: number,
): Promise<Pick<RequestLink, "lead" | "first">[]> {
  const rows = await db
    .select({ lead: leads })
    .from(requestLinks)
    .innerJoin(leads, eq(leads.id, requestLinks.leadId))
    .where(sql`${requestLinks.withdrawalAskedAt} IS NOT NULL`)
    .orderBy(asc(requestLinks.withdrawalAskedAt))
    .limit(limit);
  return Promise.all(
    rows.map(async ({ lead: first }) => ({ first, lead: await findCurrentLead(db, first) })),
  );
}
