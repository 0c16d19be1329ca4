/** Releases stuck leads on an operator's command. */
import { and, eq, inArray } from "drizzle-orm";

import { auditEntry } from "../../identity/audit/commands.ts";
import { attention, leads } from "../../platform/db/schema.ts";
import type { Answer } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Context } from "../../platform/context.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { abandonRow } from "./ledger-commands.ts";

/** Kinds of alerts about a stuck lead. Releasing the lead resolves them all. */
const RESOLVED_KINDS = ["release_stuck", "payment_missing"];

/**
 * Releases a lead on an operator's command, if its payment does not end by itself. If the payment still succeeds, it
 * is refunded like any late payment.
 *
 * @returns how many holds ended: 1, or 0 if the lead is not held
 * @throws the exchange's or D1's error; safe to retry
 */
export async function releaseLead(
  context: Context,
  leadId: string,
  now: number,
): Promise<{ released: number; unknown_leads: number }> {
  const db = context.db;
  const [lead] = await db.select({ region: leads.region }).from(leads).where(eq(leads.id, leadId));
  const exchange = lead && exchangeOf(context, lead.region);
  if (!exchange) return { released: 0, unknown_leads: 1 };
  const answer = await withTimeout<Answer>(exchange.decide({ type: "free", leadId }));
  const holdId = answer.ok ? answer.endedHoldId : undefined;
  if (!holdId) return { released: 0, unknown_leads: 0 };
  await db.batch([
    abandonRow(db, holdId, "freed_by_operator", now),
    db
      .update(attention)
      .set({ resolvedAt: now })
      .where(and(eq(attention.subjectId, leadId), inArray(attention.kind, RESOLVED_KINDS))),
    auditEntry(
      db,
      { userId: null, asUserId: null },
      { at: now, action: "lead.freed", subjectType: "lead", subjectId: leadId, after: { holdId } },
    ),
  ]);
  return { released: 1, unknown_leads: 0 };
}
