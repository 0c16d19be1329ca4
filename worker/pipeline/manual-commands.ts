import { breaksUnique } from "../platform/db/unique.ts";
import type { Act } from "../identity/audit/act.ts";
import { and, eq } from "drizzle-orm";

import type { ManualLead } from "../../contract/manual-leads.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import { auditEntry } from "../identity/audit/commands.ts";
import type { Session } from "../platform/session.ts";
import type { Db } from "../platform/db/client.ts";
import { leadPurchases, leads, stageChanges } from "../platform/db/schema.ts";
import { DomainError } from "../platform/errors.ts";
import { newId, newLeadId } from "../platform/ids.ts";
import type { BusinessScope } from "../identity/auth/rights.ts";
import { type PurchasedLead, toPurchasedLead } from "../selling/purchases/views.ts";
import { resolvePlace } from "../leads/suburbs/queries.ts";
import { placeOf } from "../leads/rules.ts";
import { redactLead } from "../leads/views.ts";

/** The row of a lead that no market ever sees. */
async function privateLead(db: Db, form: ManualLead, now: number, lifetimeMs: number) {
  const { submissionId, customerAddress, ...answers } = form;
  // A street says where; failing that, what the provider wrote as the place.
  const address = [form.preferredLocation, customerAddress].filter(Boolean).join(", ");
  const place = placeOf(await resolvePlace(db, { address }));
  return {
    ...answers,
    // Nobody but its owner sees it today; should it ever be shown to others, this is what they see.
    ...redactLead({ ...answers, ...place, customerAddress: address }),
    redactedAt: now,
    id: newLeadId(place.region),
    submissionId: submissionId ?? null,
    source: "manual" as const,
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

/** What an earlier try with the same form made, if it was this business's. */
async function findSubmitted(db: Db, scope: BusinessScope, submissionId: string) {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
    .from(leads)
    .innerJoin(leadPurchases, eq(leadPurchases.leadId, leads.id))
    .where(and(eq(leads.submissionId, submissionId), eq(leadPurchases.buyerId, scope.businessId)));
  return row ?? null;
}

/**
 * Stores a lead a provider brought along, together with its purchase for nothing: one batch, so that
 * neither exists without the other. It is private from birth and never listed.
 * @returns the purchase with its lead; the earlier one when this very form was sent before
 * @throws DomainError invalid_input when the submission id is somebody else's
 */
export async function addManualLead(
  db: Db,
  session: Session,
  scope: BusinessScope,
  form: ManualLead,
  options: Act & { lifetimeMs: number },
): Promise<PurchasedLead> {
  const { now, lifetimeMs, requestId } = options;
  const { user } = session;
  const lead = await privateLead(db, form, now, lifetimeMs);
  const purchaseId = newId("pur");
  try {
    const [[storedLead], [purchase]] = await db.batch([
      db.insert(leads).values(lead).returning(),
      db
        .insert(leadPurchases)
        .values({
          id: purchaseId,
          leadId: lead.id,
          buyerId: scope.businessId,
          boughtByUserId: scope.userId,
          buyerName: `${user.firstName} ${user.lastName}`,
          buyerEmail: user.email,
          buyerPhone: user.phone,
          buyerCompany: user.companyName,
          mode: "manual",
          amountPaidCents: 0,
          paymentStatus: "completed",
          purchasedAt: now,
          updatedAt: now,
        })
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
    if (!breaksUnique(error, "submission_id")) throw error;
    const first = await findSubmitted(db, scope, form.submissionId!);
    if (first) return toPurchasedLead(first.purchase, first.lead);
    const message = "Please reload the page";
    throw new DomainError("invalid_input", message, { submissionId: message });
  }
}
