import { eq } from "drizzle-orm";

import { type ContactForm, reachesCustomer } from "../../../contract/contacts.ts";
import type { CustomerCorrection } from "../../../contract/corrections.ts";
import type { Act } from "../../identity/audit/store.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { contactKeys } from "../../leads/quarantine/contact-keys.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { contactCorrections } from "../tables.ts";
import { contactLog, leadPurchases } from "../../platform/db/purchases.ts";
import { asRead } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { contactTime, type PurchaseRow, type SoldLead } from "../../selling/purchases/rules.ts";
import { recheckCase } from "../guarantee/case-commands.ts";
import { askAboutCalls } from "../guarantee/commands.ts";
import { changePurchase, logPurchase, logStage, requireOpen, requirePurchase } from "./commands.ts";
import { findOwnSoldLead, hasContact } from "./queries.ts";
import { applyCorrection, applyOutcome } from "./rules.ts";

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

/**
 * Corrects a customer's contact details for a business, and records the previous values. The lead itself does not
 * change. A repeated correction changes nothing.
 * @throws DomainError not_found if the purchase belongs to another business; purchase_closed, also after the customer
 *   was erased
 */
export function correctCustomer(
  db: Db,
  scope: BusinessScope,
  id: string,
  correction: CustomerCorrection,
  by: Act,
): Promise<SoldLead> {
  const logged = Object.fromEntries(Object.keys(correction).map((field) => [field, "changed"]));
  const keys = contactKeys(correction.customerPhone ?? "", correction.customerEmail);
  return retryIfChanged(async () => {
    const found = await findOwnSoldLead(db, scope, id);
    if (!found) throw new DomainError("not_found", "Purchase not found");
    const { purchase, lead } = found;
    requireOpen(purchase);
    // The erasure changes the purchase too, so the guard holds only before it.
    if (lead.erasedAt !== null)
      throw new DomainError("purchase_closed", "We erased this customer's details at their request.");
    const { corrected, before } = applyCorrection(found, correction);
    if (Object.keys(before).length === 0) return found;
    const [[written]] = await guardedBatch(db, asRead(purchase), [
      changePurchase(db, purchase, { corrected }, by.now),
      logPurchase(db, purchase, by, { action: "purchase.correct", after: logged }),
      db.insert(contactCorrections).values({
        purchaseId: id,
        nameBefore: before.name,
        phoneBefore: before.phone,
        emailBefore: before.email,
        addressBefore: before.address,
        ...keys,
        changedByUserId: scope.userId,
        changedAt: by.now,
      }),
    ]);
    return { purchase: written!, lead };
  });
}
