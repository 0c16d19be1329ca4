import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { and, or, type SQL, sql } from "drizzle-orm";

import type { CorrectedDetail, CustomerCorrection } from "../../../contract/corrections.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { contactCorrections, leadPurchases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { contactKeys } from "../../leads/quarantine/contact-keys.ts";
import { isOpenPurchase, purchaseLog, whyUnchanged } from "./commands.ts";
import { findPurchaseDetail } from "./queries.ts";
import { isClosed, type SoldLead } from "../../selling/purchases/rules.ts";

/**
 * Selects a column of the purchase's lead. Uses raw SQL, because drizzle omits the table's name in single-table
 * queries.
 */
const leadColumn = (column: string) =>
  sql`(SELECT ${sql.raw(column)} FROM leads WHERE leads.id = lead_purchases.lead_id)`;

/** The customer's current details as shown to the business. */
const SHOWN: Record<CorrectedDetail, SQL<string>> = {
  name: sql`coalesce(corrected ->> 'name', ${leadColumn("customer_name")})`,
  phone: sql`coalesce(corrected ->> 'phone', ${leadColumn("customer_phone")})`,
  email: sql`coalesce(corrected ->> 'email', ${leadColumn("customer_email")}, '')`,
  address: sql`coalesce(corrected ->> 'address', ${leadColumn("customer_address")})`,
};

/** Returns the stored text of a correction: empty to clear the detail, null to leave it unchanged. */
const textOf = (value: string | null | undefined) => (value === undefined ? null : (value ?? ""));

/** Selects the previous value; null if the correction does not change the value. */
function before(shown: SQL, corrected: string | null): SQL {
  return sql`CASE WHEN ${shown} <> ${corrected} THEN ${shown} END`;
}

/**
 * Corrects a customer's contact details for a business, and records the previous values. The lead itself does not
 * change. A repeated correction changes nothing.
 * @throws DomainError not_found if the purchase belongs to another business; purchase_closed, also after the customer
 *   was erased
 */
export async function correctCustomer(
  db: Db,
  scope: BusinessScope,
  id: string,
  correction: CustomerCorrection,
  by: Act,
): Promise<SoldLead> {
  const { customerName, customerPhone, customerEmail, customerAddress } = correction;
  const corrected = {
    name: textOf(customerName),
    phone: textOf(customerPhone),
    email: textOf(customerEmail),
    address: textOf(customerAddress),
  };
  const details = Object.keys(SHOWN) as CorrectedDetail[];
  const given = Object.fromEntries(Object.entries(corrected).filter(([, text]) => text !== null));
  const changed = and(
    isOpenPurchase(scope, id),
    sql`${leadColumn("erased_at")} IS NULL`,
    or(...details.map((detail) => sql`${SHOWN[detail]} <> ${corrected[detail]}`)),
  );
  const after = Object.fromEntries(Object.keys(correction).map((field) => [field, "changed"]));
  const keys = contactKeys(customerPhone ?? "", customerEmail);
  await db.batch([
    purchaseLog(db, by, { action: "purchase.correct", id, after }, changed),
    db.insert(contactCorrections).select(
      db
        .select({
          id: sql`NULL`.as("id"),
          purchaseId: leadPurchases.id,
          nameBefore: before(SHOWN.name, corrected.name).as("name_before"),
          phoneBefore: before(SHOWN.phone, corrected.phone).as("phone_before"),
          emailBefore: before(SHOWN.email, corrected.email).as("email_before"),
          addressBefore: before(SHOWN.address, corrected.address).as("address_before"),
          phoneKey: sql`${keys.phoneKey}`.as("phone_key"),
          otherPhoneKey: sql`${keys.otherPhoneKey}`.as("other_phone_key"),
          emailKey: sql`${keys.emailKey}`.as("email_key"),
          changedByUserId: sql`${scope.userId}`.as("changed_by_user_id"),
          changedAt: sql`${by.now}`.as("changed_at"),
        })
        .from(leadPurchases)
        .where(changed),
    ),
    db
      .update(leadPurchases)
      .set({
        corrected: sql`json_patch(coalesce(corrected, '{}'), ${JSON.stringify(given)})`,
        updatedAt: nextUpdatedAt(by.now),
      })
      .where(changed),
  ]);
  const found = await findPurchaseDetail(db, scope, id);
  if (!found || isClosed(found.purchase)) throw await whyUnchanged(db, scope, id);
  if (found.lead.erasedAt !== null)
    throw new DomainError("purchase_closed", "We erased this customer's details at their request.");
  return found;
}
