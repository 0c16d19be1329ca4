import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { raiseAttention } from "../exchange/commands.ts";
import { claimRefund, endRefund, owedRefund } from "./ledger-commands.ts";
import { refundOnce, till } from "./stripe.ts";
import { log } from "../log.ts";

/** A refund that could not be made for this long is shown to the admins. */
const ALARMING_MS = 10 * 60_000;

/**
 * Pays back a payment that the ledger says we owe. What fails stays owed and is tried again by the sweep.
 * @returns whether nothing is owed any more
 */
export async function refundOwed(env: Env, intentId: string, now: number): Promise<boolean> {
  const db = database(env.DB);
  const row = await owedRefund(db, intentId);
  if (!row) return true;
  const attemptKey = await claimRefund(db, row, now);
  if (!attemptKey) return false;
  try {
    await refundOnce(till(env), intentId, attemptKey);
    await endRefund(db, row.id, null);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log("warn", "refund_retry", { paymentId: row.id, error });
    await endRefund(db, row.id, message);
    if (now - row.createdAt >= ALARMING_MS)
      await raiseAttention(db, "refund_failed", row.id, `A refund is still owed: ${message}`, now);
    return false;
  }
}
