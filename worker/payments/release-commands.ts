/** Freeing what only a person can judge. */
import { and, eq, inArray } from "drizzle-orm";

import { auditEntry } from "../audit/commands.ts";
import { database } from "../db/client.ts";
import { attention, leads } from "../db/schema.ts";
import { exchangeOf } from "../exchange/stub.ts";
import type { Env } from "../env.ts";
import { inTime } from "../patience.ts";
import { abandonRow } from "./ledger-commands.ts";

/** What is told of a lead that is stuck; freeing it answers both. */
const ANSWERED = ["release_stuck", "payment_missing"];

/**
 * Gives a lead back whose payment does not come to its end by itself, on an operator's word. Should that
 * payment succeed after all, it is paid back as any that comes too late.
 * @returns how many holds ended: 1, or 0 when the lead is not held
 * @throws the exchange's or D1's error; trying again is harmless
 */
export async function releaseLead(
  env: Env,
  leadId: string,
  now: number,
): Promise<{ released: number; unknown_leads: number }> {
  const db = database(env.DB);
  const [lead] = await db.select({ region: leads.region }).from(leads).where(eq(leads.id, leadId));
  const exchange = lead && exchangeOf(env, lead.region);
  if (!exchange) return { released: 0, unknown_leads: 1 };
  const { holdId } = await inTime(exchange.free(leadId));
  if (!holdId) return { released: 0, unknown_leads: 0 };
  await db.batch([
    abandonRow(db, holdId, "freed_by_operator", now),
    db
      .update(attention)
      .set({ resolvedAt: now })
      .where(and(eq(attention.subjectId, leadId), inArray(attention.kind, ANSWERED))),
    auditEntry(
      db,
      { userId: null, asUserId: null },
      { at: now, action: "lead.freed", subjectType: "lead", subjectId: leadId, after: { holdId } },
    ),
  ]);
  return { released: 1, unknown_leads: 0 };
}
