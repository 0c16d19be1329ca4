/** Once a month, finds saved cards that expire at the month's end and warns their owners by email. */
import { and, eq, exists, isNull, lt, not, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { addMonths, startOfSydneyDay, sydneyMonth } from "../../../contract/sydney-time.ts";
import type { UserRow } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { enqueueEmail } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { findExpiringCards } from "./expiring-cards.ts";
import { cardExpiring } from "./messages.ts";
import { acceptsCards } from "./stripe.ts";

/** Maximum businesses per minute. All calls to Stripe share one rate limit, and buyers take priority. */
const MAX_BATCH_SIZE = 10;
/** Delay before the next attempt for a business after an error from Stripe. */
const RETRY_DELAY_MS = HOUR_MS;
/** A failed check is backdated by this much. It is longer than any month, so the check stays due. */
const FAILED_CHECK_AGE_MS = 32 * DAY_MS;

/** Returns when a month begins in Sydney (epoch ms). @param month such as "2026-11" */
export const startOfMonth = (month: string): number => startOfSydneyDay(`${month}-01`)!;

type CardOwner = Pick<UserRow, "id" | "email" | "isActive" | "stripeCustomerId" | "cardsCheckedAt">;

/**
 * Returns businesses with saved cards that were not checked this month: never checked ones first, then the oldest
 * check.
 */
async function listUnchecked(db: Db, now: number): Promise<CardOwner[]> {
  const { id, email, isActive, stripeCustomerId, cardsCheckedAt } = users;
  const checked = users.cardsCheckedAt;
  const before = now - FAILED_CHECK_AGE_MS;
  // Matches the condition of the partial index.
  const hasSavedCards = sql`${users.stripeCustomerId} IS NOT NULL`;
  const selectOwners = (condition: SQL | undefined) =>
    db
      .select({ id, email, isActive, stripeCustomerId, cardsCheckedAt })
      .from(users)
      .where(and(hasSavedCards, condition))
      .orderBy(checked)
      .limit(MAX_BATCH_SIZE);
  const [neverChecked, checkedLongAgo] = await db.batch([
    selectOwners(isNull(checked)),
    selectOwners(
      and(
        lt(checked, startOfMonth(sydneyMonth(now))),
        not(and(lt(checked, before), sql`${checked} >= ${before - RETRY_DELAY_MS}`)!),
      ),
    ),
  ]);
  return [...neverChecked, ...checkedLongAgo].slice(0, MAX_BATCH_SIZE);
}

/** Compare-and-set: only if the Customer is the same and no other run has checked the cards since. */
const isUnchanged = ({ id, stripeCustomerId, cardsCheckedAt }: CardOwner) =>
  and(
    eq(users.id, id),
    eq(users.stripeCustomerId, stripeCustomerId ?? ""),
    sql`${users.cardsCheckedAt} IS ${cardsCheckedAt}`,
  )!;

/** Checks one business's cards. @returns whether an email was enqueued @throws Stripe's error */
async function checkCards(context: Context, owner: CardOwner, now: number): Promise<boolean> {
  const db = context.db;
  const { id, email, isActive, stripeCustomerId } = owner;
  const checked = db.update(users).set({ cardsCheckedAt: now }).where(isUnchanged(owner));
  // Closed accounts and accounts without a confirmed address get no email.
  const cards = isActive && email ? (await findExpiringCards(context, stripeCustomerId!, now)).cards : [];
  if (cards.length === 0) {
    await checked;
    return false;
  }
  const month = sydneyMonth(now);
  const cardIds = cards.map((card) => card.id).toSorted();
  const mail = {
    message: cardExpiring,
    to: email!,
    userId: id,
    subject: { cardIds, month },
    expiresAt: startOfMonth(addMonths(month, 1)),
  };
  const unchanged = db.select({ id: users.id }).from(users).where(isUnchanged(owner));
  await db.batch([enqueueEmail(db, newId("msg"), mail, now, exists(unchanged)), checked]);
  return true;
}

/**
 * Checks each business's saved cards at Stripe once per month in Sydney time. Enqueues an email if a card expires at
 * the month's end. Runs every minute. Retries an hour after an error from Stripe.
 * @returns how many emails were enqueued, and how many checks failed
 */
export async function sweepExpiringCards(
  context: Context,
  now: number,
): Promise<{ told: number; failed: number }> {
  if (!acceptsCards(context) || !canSendEmail(context)) return { told: 0, failed: 0 };
  const db = context.db;
  const owners = await listUnchecked(db, now);
  const results = await Promise.allSettled(owners.map((owner) => checkCards(context, owner, now)));
  const failedOwners = owners.filter((owner, i) => {
    const result = results[i]!;
    if (result.status === "rejected")
      log("warn", "cards_not_looked_at", { userId: owner.id, error: result.reason });
    return result.status === "rejected";
  });
  for (const owner of failedOwners)
    await db
      .update(users)
      .set({ cardsCheckedAt: now - FAILED_CHECK_AGE_MS })
      .where(isUnchanged(owner));
  const told = results.filter((result) => result.status === "fulfilled" && result.value).length;
  return { told, failed: failedOwners.length };
}
