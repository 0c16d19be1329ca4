/** One-time secrets: links in emails, recovery codes, and challenges that a browser must answer. */

import { and, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, type SecretPurpose } from "../tables.ts";
import { mailboxOf } from "../../platform/db/messages.ts";
import { newId } from "../../platform/ids.ts";

export type SecretRow = typeof oneTimeSecrets.$inferSelect;

/** What identifies a secret. The hash has different sources: see `oneTimeSecrets`. */
type Secret = Pick<SecretRow, "hash" | "purpose">;

/**
 * Returns the statement that stores a secret. Replaces an earlier one with the same hash and purpose.
 * @param where a condition: nothing is stored if it does not hold
 */
export function createSecret(
  db: Db,
  secret: Secret & Pick<SecretRow, "expiresAt"> & Partial<SecretRow>,
  now: number,
  where: SQL = sql`true`,
) {
  const rest = { userId: null, email: null, data: null, tries: 0, createdAt: now, usedAt: null };
  const row: SecretRow = { id: newId("sec"), ...rest, ...secret };
  const names = Object.keys(getTableColumns(oneTimeSecrets)) as (keyof SecretRow)[];
  const values = names.map((name) => sql`${row[name]}`);
  return db
    .insert(oneTimeSecrets)
    .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${where}`)
    .onConflictDoUpdate({ target: [oneTimeSecrets.hash, oneTimeSecrets.purpose], set: row });
}

/** SQL: a secret is unused and unexpired. */
export const isUsable = ({ hash, purpose }: Secret, now: number): SQL =>
  and(
    eq(oneTimeSecrets.hash, hash),
    eq(oneTimeSecrets.purpose, purpose),
    isNull(oneTimeSecrets.usedAt),
    gt(oneTimeSecrets.expiresAt, now),
  )!;

/** The columns of a used secret. It stays for an hour at most, because it still limits how soon the user may get another. */
const asUsed = (now: number) => ({
  usedAt: now,
  expiresAt: sql<number>`min(${oneTimeSecrets.expiresAt}, ${now + HOUR_MS})`,
});

/**
 * Uses up a secret. Only one of two concurrent calls succeeds.
 * @param changes other columns to set
 * @returns null if the secret is used, expired or unknown
 */
export async function consumeSecret(
  db: Db,
  secret: Secret,
  now: number,
  changes: Partial<SecretRow> = {},
): Promise<SecretRow | null> {
  const [row] = await db
    .update(oneTimeSecrets)
    .set({ ...asUsed(now), ...changes })
    .where(isUsable(secret, now))
    .returning();
  return row ?? null;
}

/** Returns the statement that ends a user's unused secrets of a purpose, if `where` holds. */
export const endSecrets = (db: Db, userId: string, purpose: SecretPurpose, now: number, where?: SQL) =>
  db
    .update(oneTimeSecrets)
    .set(asUsed(now))
    .where(
      and(
        eq(oneTimeSecrets.userId, userId),
        eq(oneTimeSecrets.purpose, purpose),
        isNull(oneTimeSecrets.usedAt),
        where,
      ),
    );

/** SQL: a secret was sent to the mailbox of an address. Matches the index. @param email in lower case */
export const isToMailbox = (email: string): SQL =>
  sql`${oneTimeSecrets.email} IS NOT NULL AND ${mailboxOf(sql`email`)} = ${mailboxOf(sql`${email}`)}`;

/** Returns the statement that deletes the secrets of a purpose that were sent to an address. @param email in lower case */
export const deleteSecretsTo = (db: Db, email: string, purpose: SecretPurpose) =>
  db
    .delete(oneTimeSecrets)
    .where(and(isToMailbox(email), eq(oneTimeSecrets.email, email), eq(oneTimeSecrets.purpose, purpose)));
