import { and, asc, eq, isNull } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, passkeys } from "../../platform/db/schema.ts";
import type { PasskeyRow } from "./rules.ts";

/** Lists a user's passkeys, oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt));
}

/** Returns whether a user has a passkey. If so, the password alone does not sign them in. */
export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(1);
  return rows.length > 0;
}

/**
 * Finds the passkey in a browser's response.
 * @param userId the required owner; any owner if omitted
 */
export async function findPasskey(db: Db, credentialId: string, userId?: string): Promise<PasskeyRow | null> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(
      and(
        eq(passkeys.credentialId, credentialId),
        userId === undefined ? undefined : eq(passkeys.userId, userId),
      ),
    );
  return row ?? null;
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { userId: ownerId, purpose, usedAt } = oneTimeSecrets;
  return db.$count(oneTimeSecrets, and(eq(ownerId, userId), eq(purpose, "recovery_code"), isNull(usedAt)));
}
