import type { CustomerCorrection } from "../../../contract/corrections.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { contactKeys } from "../../leads/quarantine/contact-keys.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { asRead } from "../../platform/db/next-updated-at.ts";
import { contactCorrections } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import type { SoldLead } from "../../selling/purchases/rules.ts";
import { changePurchase, logPurchase, requireOpen } from "./commands.ts";
import { findOwnSoldLead } from "./queries.ts";
import { applyCorrection } from "./rules.ts";

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
