/** Asks customers for reviews, stores them, and changes how they are shown. */

import {
  and,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  not,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { phoneKey } from "../../../contract/phone.ts";
import {
  type ChosenRule,
  REVIEW_OPEN_DAYS,
  type ReviewAnswer,
  type ReviewForm,
  type ReviewRule,
} from "../../../contract/reviews.ts";
import { type Act, type Actor, auditEntry, auditWhen, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import { findKnownDevice } from "../../identity/auth/device-cookie.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { findProviderTrace, isProviderNetwork } from "../../identity/providers/queries.ts";
import { emailKey, otherPhoneKey } from "../../leads/quarantine/contact-keys.ts";
import { containsContact, redact } from "../../leads/redaction/redact.ts";
import { maskFirstName } from "../../leads/views.ts";
import { enqueue, enqueueEmail } from "../../outbox/commands.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { FactsChanged, guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { reviews } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { ownReviewHidden, reviewEmail, reviewHidden, reviewInvitation, reviewWritten } from "./messages.ts";
import {
  canInviteReview,
  type DueReview,
  findReviewByToken,
  isVoid,
  listDueReviews,
  listPeople,
} from "./queries.ts";

/** Maximum invitations per run. The next run takes the others. */
const SWEEP_BATCH = 50;

/** SQL: the purchase is due as we read it. */
const isStillDue = ({ id, reviewDueAt }: DueReview["purchase"]) =>
  and(eq(leadPurchases.id, id), eq(leadPurchases.reviewDueAt, reviewDueAt!))!;

/** The sweep retries an invitation that failed after this time. */
const RETRY_MS = 10 * MINUTE_MS;

/** Asks the customer of one purchase, or marks that they are not asked. */
async function ask(
  { db }: Context,
  { purchase, lead, isExcluded }: DueReview,
  now: number,
): Promise<boolean> {
  const { id: purchaseId, leadId, buyerId } = purchase;
  const isDue = isStillDue(purchase);
  const done = db.update(leadPurchases).set({ reviewDueAt: null }).where(isDue);
  if (!canInviteReview(purchase, lead, isExcluded === 1)) {
    await done;
    return false;
  }
  const invitation = {
    id: newId("rev"),
    purchaseId,
    leadId,
    businessId: buyerId,
    invitedAt: now,
    endsAt: now + REVIEW_OPEN_DAYS * DAY_MS,
    serviceType: lead.serviceType[0] ?? "other",
    updatedAt: now,
  };
  await guardedBatch(db, { from: leadPurchases, where: isDue }, [
    db.insert(reviews).values(invitation).onConflictDoNothing({ target: reviews.purchaseId }),
    enqueue(db, reviewInvitation, { leadId, purchaseId }, now),
    done,
  ]);
  return true;
}

/**
 * Returns the statement that makes the sweep reconsider a review invitation. Run it when a reason not to invite no
 * longer applies.
 */
export const rescheduleInvitation = (db: Db, purchaseId: string, now: number) =>
  db
    .update(leadPurchases)
    .set({ reviewDueAt: now })
    .where(
      and(
        eq(leadPurchases.id, purchaseId),
        isNull(leadPurchases.reviewDueAt),
        inArray(leadPurchases.mode, ["stripe", "direct"]),
        notExists(db.select({ id: reviews.id }).from(reviews).where(eq(reviews.purchaseId, purchaseId))),
      ),
    );

const hasReview = (db: Db, where: SQL) => exists(db.select({ id: reviews.id }).from(reviews).where(where));

/** Asks the customers whose time has come. Safe to repeat. @returns the number of invitations, and of failures */
export async function sweepReviews(
  context: Context,
  now: number,
): Promise<{ asked: number; failed: number }> {
  const counts = { asked: 0, failed: 0 };
  for (const due of await listDueReviews(context.db, now, SWEEP_BATCH)) {
    try {
      if (await ask(context, due, now)) counts.asked += 1;
    } catch (error) {
      // Another change came first. If the purchase is still due, the next run takes it.
      if (error instanceof FactsChanged) continue;
      counts.failed += 1;
      log("warn", "review_delayed", { purchaseId: due.purchase.id, error });
      // Move it back, or failing invitations would fill every run.
      await context.db
        .update(leadPurchases)
        .set({ reviewDueAt: now + RETRY_MS })
        .where(isStillDue(due.purchase));
    }
  }
  return counts;
}

/**
 * Stores a customer's review, and alerts the provider. Refuses a review by the reviewed business: with the phone number
 * or email address of the owner or the team, in a browser that they signed in with, or with their session.
 * @returns the outcome, and the reviewed business if the review is stored
 */
export function writeReview(
  context: Context,
  caller: Caller,
  { token, stars, words }: ReviewForm,
  now: number,
): Promise<ReviewAnswer & { businessId?: string }> {
  const { db } = context;
  return retryIfChanged(async () => {
    const found = await findReviewByToken(db, token);
    if (!found || found.isVoid || found.review.writtenAt !== null || now >= found.review.endsAt)
      return { outcome: "closed" };
    const { review, lead, purchase } = found;
    const { id, purchaseId, businessId } = review;
    const people = await listPeople(db, businessId);
    const customer = { phone: lead.customerPhone, email: lead.customerEmail };
    const contacts = people.flatMap(({ phone, email, pendingEmail }) => [
      { phone, email },
      { phone, email: pendingEmail },
    ]);
    const isOwn =
      isSamePerson(customer, [purchase, ...contacts]) ||
      people.some(
        (user) => user.id === caller.session?.user.id || findKnownDevice(caller.device, user, now) !== null,
      );
    const isLeadLive = exists(
      db
        .select({ id: leads.id })
        .from(leads)
        .where(and(eq(leads.id, lead.id), isNull(leads.erasedAt))),
    );
    const isOpen = and(
      eq(reviews.id, id),
      isNull(reviews.writtenAt),
      gt(reviews.endsAt, now),
      not(isVoid),
      isLeadLive,
    );
    const guard = { from: reviews, where: isOpen };
    const entry = { at: now, subjectType: "review", subjectId: id, requestId: caller.requestId };
    if (isOwn) {
      const refused = { ...entry, action: "review.refused", after: { businessId } };
      await guardedBatch(db, guard, [auditEntry(db, SYSTEM_ACTOR, refused)]);
      return { outcome: "own_business" };
    }
    // A rival may review too, or the business from its network.
    const flag =
      (await findProviderTrace(db, caller, lead, now))?.sign ??
      ((await isProviderNetwork(context, caller.network)) ? "provider_network" : null);
    const email = people.find((user) => user.id === businessId && user.isActive)?.email;
    const mail = { message: reviewEmail, userId: businessId, subject: { purchaseId } };
    await guardedBatch(db, guard, [
      db
        .update(reviews)
        .set({
          stars,
          words: words ? redact(words, lead) : null,
          customerName: maskFirstName(lead.customerName),
          suburbId: lead.suburbId,
          writtenAt: now,
          flag,
          updatedAt: now,
        })
        .where(eq(reviews.id, id)),
      auditEntry(db, SYSTEM_ACTOR, {
        ...entry,
        action: "review.written",
        after: { businessId, stars, flag },
      }),
      enqueue(db, reviewWritten, { purchaseId, leadId: lead.id, businessId }, now),
      ...(email ? [enqueueEmail(db, newId("msg"), { ...mail, to: email }, now)] : []),
      // The free claim that is being decided depends on the review.
      db
        .update(leadPurchases)
        .set({ updatedAt: nextUpdatedAt(now) })
        .where(eq(leadPurchases.id, purchaseId)),
    ]);
    return { outcome: "written", businessId };
  });
}

/**
 * Stores the business's reply to a review, without the customer's surname, street and address. A second reply replaces
 * the first.
 * @returns the reply as stored
 * @throws DomainError invalid_input for contact details; not_found, also after the customer's erasure
 */
export async function replyToReview(
  db: Db,
  scope: BusinessScope,
  id: string,
  reply: string,
  { actor, now, requestId }: Act,
): Promise<string> {
  if (containsContact(reply)) {
    const message =
      "Please leave out phone numbers, email addresses and links. Everyone can read your reply.";
    throw new DomainError("invalid_input", message, { reply: message });
  }
  const [lead] = await db
    .select(getTableColumns(leads))
    .from(reviews)
    .innerJoin(leads, eq(leads.id, reviews.leadId))
    .where(and(eq(reviews.id, id), eq(reviews.businessId, scope.businessId), isNull(leads.erasedAt)));
  if (!lead) throw new DomainError("not_found", "Review not found");
  const shown = redact(reply, lead);
  const where = and(
    eq(reviews.id, id),
    isNotNull(reviews.writtenAt),
    exists(
      db
        .select({ id: leads.id })
        .from(leads)
        .where(and(eq(leads.id, lead.id), isNull(leads.erasedAt))),
    ),
  );
  const refusal = new DomainError("not_found", "Review not found");
  await guardedBatch(db, { from: reviews, where, refusal }, [
    db.update(reviews).set({ reply: shown, repliedAt: now, updatedAt: now }).where(eq(reviews.id, id)),
    auditEntry(db, actor, {
      at: now,
      action: "review.reply",
      subjectType: "review",
      subjectId: id,
      requestId,
    }),
  ]);
  return shown;
}

/**
 * Removes a business's reply, but not the review.
 * @throws DomainError not_found
 */
export async function removeReply(db: Db, id: string, { actor, now, requestId }: Act): Promise<void> {
  const where = and(eq(reviews.id, id), isNotNull(reviews.reply));
  const refusal = new DomainError("not_found", "Reply not found");
  await guardedBatch(db, { from: reviews, where, refusal }, [
    db.update(reviews).set({ reply: null, repliedAt: null, updatedAt: now }).where(where),
    auditEntry(db, actor, {
      at: now,
      action: "review.remove_reply",
      subjectType: "review",
      subjectId: id,
      requestId,
    }),
  ]);
}

type ReviewAct = { actor: Actor | typeof SYSTEM_ACTOR; now: number; requestId: string | null };

/** Returns the statements that hide a review by a rule, or show it, and log that. @param where selects the review */
function setHiddenRule(
  db: Db,
  where: SQL,
  rule: ReviewRule | null,
  { actor, now, requestId }: ReviewAct,
  alsoSet: { flag?: null } = {},
) {
  return [
    auditWhen(db, hasReview(db, where), actor, {
      at: now,
      action: rule ? "review.hide" : "review.show",
      subjectType: "review",
      subjectId: sql`(SELECT id FROM reviews WHERE ${where})`,
      before: sql`(SELECT json_object('rule', hidden_rule, 'flag', flag) FROM reviews WHERE ${where})`,
      after: { rule },
      requestId,
    }),
    db
      .update(reviews)
      .set({ hiddenRule: rule, hiddenAt: rule && now, updatedAt: now, ...alsoSet })
      .where(where)
      .returning({ id: reviews.id }),
  ] as const;
}

/**
 * Hides a review by a published rule, and notifies the customer and the provider, or shows it. Both clear its flag.
 * @returns the reviewed business
 * @throws DomainError not_found
 */
export function decideReview(db: Db, id: string, rule: ChosenRule | null, by: Act): Promise<string> {
  const { now } = by;
  return retryIfChanged(async () => {
    const [review] = await db
      .select()
      .from(reviews)
      .where(and(eq(reviews.id, id), isNotNull(reviews.writtenAt)));
    if (!review) throw new DomainError("not_found", "Review not found");
    const { purchaseId, leadId, businessId, hiddenRule, updatedAt } = review;
    const where = and(
      eq(reviews.id, id),
      eq(reviews.updatedAt, updatedAt),
      sql`${reviews.hiddenRule} IS ${hiddenRule}`,
    );
    const isNewlyHidden = rule !== null && rule !== hiddenRule;
    await guardedBatch(db, { from: reviews, where }, [
      ...setHiddenRule(db, eq(reviews.id, id), rule, by, { flag: null }),
      ...(isNewlyHidden
        ? [
            enqueue(db, reviewHidden, { leadId, purchaseId, at: now }, now),
            enqueue(db, ownReviewHidden, { leadId, purchaseId, businessId, at: now }, now),
          ]
        : []),
    ]);
    return businessId;
  });
}

/**
 * Returns the statements that hide a review when the business gets a free claim for its purchase, and show it when the
 * business loses it. Run them after the decision about the claim. No message goes out.
 */
export function followFreeClaim(db: Db, purchaseId: string, by: ReviewAct) {
  const isWritten = and(eq(reviews.purchaseId, purchaseId), isNotNull(reviews.writtenAt));
  return [
    ...setHiddenRule(db, and(isWritten, isVoid, isNull(reviews.hiddenRule))!, "free_claim", by),
    ...setHiddenRule(db, and(isWritten, not(isVoid), eq(reviews.hiddenRule, "free_claim"))!, null, by),
  ] as const;
}

/** SQL: the start of a review's month, in Sydney's standard time. */
const MONTH = sql`(strftime('%s', ${reviews.writtenAt} / 1000, 'unixepoch', '+10 hours', 'start of month', '-10 hours') * 1000)`;

/** Returns the statement that erases the customer from the reviews of a lead. The stars and the month stay. */
export const eraseReviewer = (db: Db, leadId: string, now: number) =>
  db
    .update(reviews)
    .set({
      words: null,
      customerName: null,
      suburbId: null,
      reply: null,
      repliedAt: null,
      flag: null,
      writtenAt: MONTH,
      endsAt: sql`min(${reviews.endsAt}, ${now})`,
      updatedAt: now,
    })
    .where(sql`${reviews.purchaseId} IN (SELECT id FROM lead_purchases WHERE lead_id = ${leadId})`);

/** Returns the statement that deletes an erased business's replies. */
export const deleteReplies = (db: Db, businessId: string) =>
  db
    .update(reviews)
    .set({ reply: null, repliedAt: null })
    .where(and(eq(reviews.businessId, businessId), isNotNull(reviews.writtenAt)));

// Recognises a customer who belongs to the business. Their review is refused. No I/O.

/** A person's contact details. */
type Contact = { phone: string | null; email: string | null };

/** Returns whether a customer has the phone number or email address of one of these people. */
function isSamePerson(customer: Contact, people: readonly Contact[]): boolean {
  const keysOf = ({ phone, email }: Contact) =>
    [phoneKey(phone ?? ""), otherPhoneKey(phone ?? ""), emailKey(email)].filter(Boolean);
  const own = new Set(keysOf(customer));
  return people.some((person) => keysOf(person).some((key) => own.has(key)));
}
