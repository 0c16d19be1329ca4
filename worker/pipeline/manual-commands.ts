import { isUniqueViolation } from "../platform/db/unique.ts";
import { type Act, auditEntry } from "../identity/audit/store.ts";
import { and, eq } from "drizzle-orm";

import { MANUAL_DEFAULTS, type ManualLead } from "../../contract/manual-leads.ts";
import { listStated } from "../../contract/stated-details.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import type { Session } from "../platform/caller.ts";
import type { Db } from "../platform/db/client.ts";
import { leads } from "../platform/db/leads.ts";
import { leadPurchases, stageChanges } from "../platform/db/purchases.ts";
import { DomainError } from "../platform/errors.ts";
import { newId, newLeadId } from "../platform/ids.ts";
import { purchaseRow } from "../exchange/queries.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import { type PurchasedLeadView, toPurchasedLead } from "../selling/purchases/views.ts";
import { contactKeys } from "../leads/quarantine/contact-keys.ts";
import { resolvePlace } from "../leads/suburbs/queries.ts";
import { formatPlace } from "../leads/rules.ts";
import { redactLead } from "../leads/views.ts";
import { SOLD_LEAD } from "../selling/purchases/queries.ts";

/** Returns the row of a private lead, which is never listed. */
async function privateLead(db: Db, form: ManualLead, now: number, lifetimeMs: number) {
  const { submissionId, customerAddress, ...answers } = form;
  // Use the street address if present, or else the location that the provider entered.
  const address = [form.preferredLocation, customerAddress].filter(Boolean).join(", ");
  const place = formatPlace(await resolvePlace(db, { address }));
  return {
    ...answers,
    stated: listStated(form, MANUAL_DEFAULTS),
    // Only the lead's owner sees it, so other providers do not see these redacted texts yet.
    ...redactLead({ ...answers, ...place, customerAddress: address }),
    id: newLeadId(place.region),
    submissionId: submissionId ?? null,
    source: "manual" as const,
    ...contactKeys(form.customerPhone, form.customerEmail),
    customerAddress: customerAddress ?? "",
    preferredTime: "anytime" as const,
    additionalServices: [],
    ...place,
    listingState: "private" as const,
    status: "sold" as const,
    priceCents: LEAD_PRICE_CENTS,
    createdAt: now,
    expiresAt: now + lifetimeMs,
  };
}

/** Returns the purchase and lead from an earlier submission of the same form by this business. */
async function findSubmitted(db: Db, scope: BusinessScope, submissionId: string) {
  const [row] = await db
    .select(SOLD_LEAD)
    .from(leads)
    .innerJoin(leadPurchases, eq(leadPurchases.leadId, leads.id))
    .where(and(eq(leads.submissionId, submissionId), eq(leadPurchases.buyerId, scope.businessId)));
  return row ?? null;
}

/**
 * Stores a lead that a provider added, together with its free purchase. Uses one batch, so that neither exists without
 * the other. The lead is private and never listed.
 * @returns the purchase with its lead; the existing purchase if this form was already submitted
 * @throws DomainError invalid_input if another business used the submission id
 */
export async function addManualLead(
  db: Db,
  session: Session,
  scope: BusinessScope,
  form: ManualLead,
  options: Act & { lifetimeMs: number },
): Promise<PurchasedLeadView> {
  const { now, lifetimeMs, requestId } = options;
  const { user } = session;
  const lead = await privateLead(db, form, now, lifetimeMs);
  const purchaseId = newId("pur");
  const sale = { purchaseId, businessId: scope.businessId, userId: scope.userId };
  const { email, phone, companyName: company } = user;
  const buyer = { name: `${user.firstName} ${user.lastName}`, email, phone, company };
  try {
    const [[storedLead], [purchase]] = await db.batch([
      db.insert(leads).values(lead).returning(),
      db
        .insert(leadPurchases)
        .values(purchaseRow(lead.id, { ...sale, mode: "manual", amountCents: 0, soldAt: now }, buyer))
        .returning(),
      db.insert(stageChanges).values({
        purchaseId,
        fromStage: null,
        toStage: "accepted_lead",
        changedByUserId: scope.userId,
        changedAt: now,
      }),
      auditEntry(db, options.actor, {
        at: now,
        action: "purchase.added_manually",
        subjectType: "purchase",
        subjectId: purchaseId,
        after: { leadId: lead.id, amountPaidCents: 0 },
        requestId,
      }),
    ]);
    return toPurchasedLead(purchase!, storedLead!);
  } catch (error) {
    if (!isUniqueViolation(error, "submission_id")) throw error;
    const first = await findSubmitted(db, scope, form.submissionId!);
    if (first) return toPurchasedLead(first.purchase, first.lead);
    const message = "Please reload the page";
    throw new DomainError("invalid_input", message, { submissionId: message });
  }
}
