import { eq } from "drizzle-orm";

import { type ContactForm, reachesCustomer } from "../../../contract/contacts.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { recheckCase } from "../../leads/guarantee-commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { asRead } from "../../platform/db/next-updated-at.ts";
import { contactLog, leadPurchases } from "../../platform/db/schema.ts";
import { contactTime, type PurchaseRow } from "../../selling/purchases/rules.ts";
import { askAboutCalls } from "../guarantee/commands.ts";
import { changePurchase, logPurchase, logStage, requireOpen, requirePurchase } from "./commands.ts";
import { hasContact } from "./queries.ts";
import { applyOutcome } from "./rules.ts";

/**
 * Records a call or a text message and its effect on the lead. A repeated entry, for example from a phone that missed
 * the response, changes nothing.
 * @returns the updated purchase
 * @throws DomainError not_found if the purchase belongs to another business; purchase_closed
 */
export function logContact(
  db: Db,
  scope: BusinessScope,
  id: string,
  { outcome, entryKey, at: reportedAt }: ContactForm,
  by: Act,
): Promise<PurchaseRow> {
  const { now } = by;
  const { userId } = scope;
  const at = contactTime(reportedAt, now);
  return retryIfChanged(async () => {
    const row = await requirePurchase(db, scope, id);
    // After the row: if the entry is stored in between, the guard fails.
    if (await hasContact(db, id, entryKey)) return row;
    requireOpen(row);
    const change = applyOutcome(row, outcome, { at, now });
    const entry = { purchaseId: id, outcome, byUserId: userId, at, entryKey, loggedAt: now };
    const [[written]] = await guardedBatch(db, asRead(row), [
      changePurchase(db, row, change, now),
      db.insert(contactLog).values(entry),
      logPurchase(db, row, by, { action: "purchase.contact", after: { outcome } }),
      ...logStage(db, row, change, { userId, now }),
      ...(reachesCustomer(outcome)
        ? [recheckCase(db, eq(leadPurchases.id, id), now)]
        : askAboutCalls(db, row, now)),
    ]);
    return written!;
  });
}
