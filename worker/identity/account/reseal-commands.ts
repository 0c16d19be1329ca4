import type { KeyRing } from "../../platform/key-ring.ts";
import { and, asc, eq, gt, ne } from "drizzle-orm";

import { auditEntry, SYSTEM_ACTOR } from "../audit/commands.ts";
import { bankDetails } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { resealBankDetails, type Sealed } from "./bank-details.ts";

const BATCH = 50;

type Row = typeof bankDetails.$inferSelect;

/**
 * Re-encrypts one row, unless its user has changed it since the read. A changed row already uses the new key.
 * @returns false if no key in the ring decrypts the row
 * @throws D1 errors; the row can be retried later
 */
async function resealRow(context: Context, ring: KeyRing, row: Row, now: number): Promise<boolean> {
  let sealed: Sealed | null;
  try {
    sealed = await resealBankDetails(ring, row.userId, row);
  } catch (error) {
    log("error", "bank_details_unopened", { userId: row.userId, keyId: row.keyId, error });
    return false;
  }
  if (!sealed) return true;
  const db = context.db;
  await db.batch([
    db
      .update(bankDetails)
      .set(sealed)
      .where(and(eq(bankDetails.userId, row.userId), eq(bankDetails.ciphertext, row.ciphertext))),
    auditEntry(db, SYSTEM_ACTOR, {
      at: now,
      action: "user.bank_details_resealed",
      subjectType: "user",
      subjectId: row.userId,
      before: { keyId: row.keyId },
      after: { keyId: sealed.keyId },
    }),
  ]);
  return true;
}

/**
 * Re-encrypts one page of bank details with the ring's current key.
 * @returns the number re-encrypted, the number that no key in the ring decrypts, and the next page's cursor
 * @throws Error if no ring is set. D1 errors pass through; the same page can be retried.
 */
export async function resealPage(
  context: Context,
  after: string | null,
  now: number,
): Promise<{ resealed: number; unopened: number; next: string | null }> {
  const ring = context.settings.bankDetailsKeys;
  if (!ring) throw new Error("BANK_DETAILS_KEYS is not set");
  const rows = await context.db
    .select()
    .from(bankDetails)
    .where(
      and(ne(bankDetails.keyId, ring[0]!.id), after === null ? undefined : gt(bankDetails.userId, after)),
    )
    .orderBy(asc(bankDetails.userId))
    .limit(BATCH);
  let unopened = 0;
  for (const row of rows) if (!(await resealRow(context, ring, row, now))) unopened += 1;
  const next = rows.length === BATCH ? rows.at(-1)!.userId : null;
  return { resealed: rows.length - unopened, unopened, next };
}
