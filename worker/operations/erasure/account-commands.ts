/** Erases a person from their account, their purchases and Stripe. */
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { deleteProfile } from "../../pipeline/profiles/commands.ts";
import { deleteAnswers } from "../../pipeline/answers/store.ts";
import { deleteReplies } from "../../pipeline/reviews/commands.ts";
import { auditEntry, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { bankDetails, oneTimeSecrets, passkeys, providerNotes, signIns } from "../../identity/tables.ts";
import { photos } from "../../leads/tables.ts";
import { contactCorrections } from "../../pipeline/tables.ts";
import { payments } from "../../platform/db/payments.ts";
import { badLeadReports, guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import { releaseBusiness } from "../../exchange/commands.ts";
import { deletePhotos } from "../../leads/photos/commands.ts";
import { deleteRecipient } from "../../outbox/commands.ts";
import { deleteChecks } from "../../identity/checks/commands.ts";
import { unassign } from "../../identity/team/store.ts";
import { stripeAccount } from "../../selling/payments/stripe.ts";
import { deleteCustomer } from "../../selling/payments/stripe-cards.ts";
import { listTeamOf } from "./queries.ts";
import { ERASED_BUYER, erasedAccount } from "./erased-rows.ts";

/**
 * Why a person is erased: because of a `request` to us, because the `customer` deleted their data on the request's page,
 * or because the `retention` period has ended.
 */
export type Cause = { reason: "request" | "customer" | "retention"; jobId: string | null };

type Statement = BatchItem<"sqlite">;

/**
 * Deactivates accounts and ends their sessions before the erasure, so that no data is added in the meantime.
 * @param others statements for the same batch
 */
export async function deactivateAccounts(
  context: Context,
  ids: string[],
  now: number,
  others: readonly Statement[] = [],
): Promise<void> {
  const db = context.db;
  // One bound value for any number of accounts: a statement may bind at most 100.
  const them = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [, ended] = await db.batch([
    db
      .update(users)
      .set({ isActive: false, updatedAt: now })
      .where(sql`${users.id} IN ${them}`),
    db
      .delete(sessions)
      .where(sql`${sessions.userId} IN ${them} OR ${sessions.impersonatorId} IN ${them}`)
      .returning({ id: sessions.id, userId: sessions.userId }),
    ...others,
  ]);
  await closeSockets(context, ended);
}

/** Returns the statements that erase an account and its credentials. */
function accountStatements(db: Db, user: UserRow, cause: Cause, now: number) {
  return [
    db.delete(oneTimeSecrets).where(eq(oneTimeSecrets.userId, user.id)),
    db.delete(signIns).where(eq(signIns.userId, user.id)),
    db.delete(passkeys).where(eq(passkeys.userId, user.id)),
    db.delete(bankDetails).where(eq(bankDetails.userId, user.id)),
    unassign(db, user.id, now),
    ...deleteRecipient(db, user.id),
    db.update(users).set(erasedAccount(user, now)).where(eq(users.id, user.id)),
    auditEntry(db, SYSTEM_ACTOR, {
      at: now,
      action: "user.erased",
      subjectType: "user",
      subjectId: user.id,
      after: cause,
    }),
  ] as const;
}

/**
 * Erases a customer's or team member's account. Sign-in becomes impossible; the username and email can be used again.
 */
export async function eraseAccount(
  context: Context,
  user: UserRow,
  cause: Cause,
  now: number,
): Promise<void> {
  const db = context.db;
  await deactivateAccounts(context, [user.id], now);
  await db.batch(accountStatements(db, user, cause, now));
}

/** Returns whether a business has a payment in progress. */
export async function isPaying(db: Db, businessId: string): Promise<boolean> {
  const open = await db.$count(payments, and(eq(payments.buyerId, businessId), isNotNull(payments.slot)));
  return open > 0;
}

/** The number of erased accounts, and of purchases that stay without a name. */
export type ErasedBusiness = { accounts: number; purchases: number };

/**
 * Closes a provider's business: signs out the provider and the team, and leaves every market. Idempotent.
 * @returns false while a payment is in progress; try again after it has ended
 */
export async function closeBusiness(context: Context, owner: UserRow, now: number): Promise<boolean> {
  const db = context.db;
  const team = await listTeamOf(db, owner.id);
  await deactivateAccounts(context, [owner.id, ...team.map(({ id }) => id)], now);
  await releaseBusiness(context, owner.id);
  const { siteUrl } = context.settings;
  if (siteUrl) await expireLinkingPages(db, siteUrl, owner.id, "purge");
  return !(await isPaying(db, owner.id));
}

/**
 * Erases a provider and their team after the business was closed. Purchases and payments keep their IDs, amounts and
 * times, as the law requires.
 *
 * @throws Stripe's error or payments_unavailable if saved cards cannot be deleted
 */
export async function eraseBusiness(
  context: Context,
  owner: UserRow,
  cause: Cause,
  now: number,
): Promise<ErasedBusiness> {
  const db = context.db;
  // Must be first, because an erased account no longer contains its Stripe customer.
  if (owner.stripeCustomerId) await deleteCustomer(stripeAccount(context), owner.stripeCustomerId);
  const team = await listTeamOf(db, owner.id);
  for (const member of team) await db.batch(accountStatements(db, member, cause, now));
  const bought = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.buyerId, owner.id));
  const [purchases] = await db.batch([
    db
      .update(leadPurchases)
      .set({ ...ERASED_BUYER, notesVersion: sql`${leadPurchases.notesVersion} + 1` })
      .where(eq(leadPurchases.buyerId, owner.id)),
    db.delete(contactCorrections).where(inArray(contactCorrections.purchaseId, bought)),
    // The recipient of the answers no longer exists.
    deleteAnswers(db, bought),
    db.update(payments).set({ cardBrand: null, cardLast4: null }).where(eq(payments.buyerId, owner.id)),
    db.update(badLeadReports).set({ note: null, answer: null }).where(eq(badLeadReports.buyerId, owner.id)),
    db
      .update(guaranteeCases)
      .set({ contestNote: null, answer: null })
      .where(eq(guaranteeCases.buyerId, owner.id)),
    deleteReplies(db, owner.id),
    db.delete(providerNotes).where(eq(providerNotes.providerId, owner.id)),
    deleteChecks(db, owner.id),
    deletePhotos(db, and(isNotNull(photos.businessId), eq(photos.businessId, owner.id))!),
    ...deleteProfile(db, owner.id),
    ...accountStatements(db, owner, cause, now),
  ]);
  return { accounts: team.length + 1, purchases: purchases.meta.changes };
}
