/** Kept cards that expire at the end of this month: found once a month, and told by email. */
import { and, eq, exists, isNull, lt, not, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";
import { addMonths, startOfSydneyDay, sydneyMonth } from "../../contract/sydney-time.ts";
import type { UserRow } from "../platform/session.ts";
import { type Db, database } from "../db/client.ts";
import { users } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { writeEmail } from "../outbox/enqueue-commands.ts";
import { canSendEmail } from "../outbox/email.ts";
import { runningOut } from "./expiring-cards.ts";
import { takesCards } from "./stripe.ts";

/** Businesses in one minute: Stripe limits all calls of ours together, and buyers come first. */
const MOST_AT_ONCE = 10;
/** Whom Stripe could not be asked about waits so long. */
const PAUSE_MS = HOUR_MS;
/** An answer that did not come is noted as if it had come so long ago: longer than any month, so it is still wanted. */
const IN_VAIN_MS = 32 * DAY_MS;

/** The moment a month begins in Sydney, epoch ms. @param month such as "2026-11" */
export const startOfMonth = (month: string): number => startOfSydneyDay(`${month}-01`)!;

type Keeper = Pick<UserRow, "id" | "email" | "isActive" | "stripeCustomerId" | "cardsCheckedAt">;

/** Who keeps cards that were not looked at this month; whoever was never looked at first, then who waited longest. */
async function listUnchecked(db: Db, now: number): Promise<Keeper[]> {
  const { id, email, isActive, stripeCustomerId, cardsCheckedAt } = users;
  const checked = users.cardsCheckedAt;
  const before = now - IN_VAIN_MS;
  // In the words of the index.
  const keepsCards = sql`${users.stripeCustomerId} IS NOT NULL`;
  const some = (which: SQL | undefined) =>
    db
      .select({ id, email, isActive, stripeCustomerId, cardsCheckedAt })
      .from(users)
      .where(and(keepsCards, which))
      .orderBy(checked)
      .limit(MOST_AT_ONCE);
  const [never, longAgo] = await db.batch([
    some(isNull(checked)),
    some(
      and(
        lt(checked, startOfMonth(sydneyMonth(now))),
        not(and(lt(checked, before), sql`${checked} >= ${before - PAUSE_MS}`)!),
      ),
    ),
  ]);
  return [...never, ...longAgo].slice(0, MOST_AT_ONCE);
}

/** Whether nobody else has looked at this business's cards meanwhile, and it has them where we asked. */
const isAsItWas = ({ id, stripeCustomerId, cardsCheckedAt }: Keeper) =>
  and(
    eq(users.id, id),
    eq(users.stripeCustomerId, stripeCustomerId ?? ""),
    sql`${users.cardsCheckedAt} IS ${cardsCheckedAt}`,
  )!;

/** Looks at one business's cards. @returns whether an email was written @throws Stripe's error */
async function lookAt(env: Env, keeper: Keeper, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, email, isActive, stripeCustomerId } = keeper;
  const checked = db.update(users).set({ cardsCheckedAt: now }).where(isAsItWas(keeper));
  // Nobody is told here: a closed account, or one without an address that was confirmed.
  const cards = isActive && email ? (await runningOut(env, stripeCustomerId!, now)).cards : [];
  if (cards.length === 0) {
    await checked;
    return false;
  }
  const month = sydneyMonth(now);
  const cardIds = cards.map((card) => card.id).toSorted();
  const mail = {
    template: "card_expiring",
    key: `${month}:${cardIds.join(",")}`,
    to: email!,
    userId: id,
    payload: { cardIds, month },
    expiresAt: startOfMonth(addMonths(month, 1)),
  } as const;
  const unchanged = db.select({ id: users.id }).from(users).where(isAsItWas(keeper));
  await db.batch([writeEmail(db, newId("msg"), mail, now, exists(unchanged)), checked]);
  return true;
}

/**
 * The minute's sweep: asks Stripe once a month (Sydney's) for the kept cards of each business, and writes to those of
 * whom one expires at its end. Where Stripe does not answer it is asked again an hour later.
 * @returns how many emails were written, and how many businesses have to wait
 */
export async function sweepExpiringCards(env: Env, now: number): Promise<{ told: number; failed: number }> {
  if (!takesCards(env) || !canSendEmail(env)) return { told: 0, failed: 0 };
  const db = database(env.DB);
  const keepers = await listUnchecked(db, now);
  const results = await Promise.allSettled(keepers.map((keeper) => lookAt(env, keeper, now)));
  const unasked = keepers.filter((keeper, i) => {
    const result = results[i]!;
    if (result.status === "rejected")
      log("warn", "cards_not_looked_at", { userId: keeper.id, error: result.reason });
    return result.status === "rejected";
  });
  for (const keeper of unasked)
    await db
      .update(users)
      .set({ cardsCheckedAt: now - IN_VAIN_MS })
      .where(isAsItWas(keeper));
  const told = results.filter((result) => result.status === "fulfilled" && result.value).length;
  return { told, failed: unasked.length };
}
