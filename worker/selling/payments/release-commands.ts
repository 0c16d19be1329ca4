/** Releases a lead whose payment does not end by itself, at a super admin's request. */
import { and, eq, inArray } from "drizzle-orm";

import type { Act } from "../../identity/audit/act.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import { attention } from "../../platform/db/schema.ts";
import { sendCommand } from "../../exchange/exchange-calls.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { abandonRow, hasEnded } from "./ledger-commands.ts";
import { findLedgerRow } from "./queries.ts";

/** Kinds of alerts about a stuck lead. Releasing the lead resolves them all. */
const RESOLVED_KINDS = ["release_stuck", "payment_missing"];

const holdEnded = () => new DomainError("hold_ended", "This payment no longer holds the lead.");

/**
 * Ends the hold of a payment, and returns its lead to the market. If the payment still succeeds, it is refunded like
 * any late payment.
 * @param id the payment's ID in the ledger
 * @throws DomainError not_found; hold_ended if the payment no longer holds the lead; exchange_unavailable
 */
export async function releaseByAdmin(context: Context, id: string, act: Act): Promise<void> {
  const { db } = context;
  const { actor, now: at, requestId } = act;
  const row = await findLedgerRow(db, id);
  if (!row) throw new DomainError("not_found", "We can't find that payment. Please reload the page.");
  const { leadId, holdId, region } = row;
  if (hasEnded(row.state)) throw holdEnded();
  const answer = await sendCommand(context, region, { type: "free", leadId, holdId });
  if (!answer.ok) throw holdEnded();
  await db.batch([
    abandonRow(db, holdId, "freed_by_admin", at),
    db
      .update(attention)
      .set({ resolvedAt: at })
      .where(and(eq(attention.subjectId, leadId), inArray(attention.kind, RESOLVED_KINDS))),
    auditEntry(db, actor, {
      at,
      action: "lead.freed",
      subjectType: "lead",
      subjectId: leadId,
      after: { holdId },
      requestId,
    }),
  ]);
}
