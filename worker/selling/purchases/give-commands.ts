import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { adminRefusalError, sendCommandToMarket } from "../../exchange/exchange-calls.ts";
import { notifyRoom } from "../../live/room.ts";
import { findActiveProvider } from "../../identity/providers/queries.ts";
import { recordSale } from "./buy-commands.ts";
import { findSoldLead } from "./queries.ts";
import type { SoldLead } from "./rules.ts";

/**
 * Gives a lead to a provider for free, when a super admin claims or assigns it. A repeated call returns the same
 * purchase.
 * @param order `businessId` receives the lead, `userId` is the admin, `requestId` is for the audit log
 * @throws DomainError not_found if there is no such active provider; lead_held, lead_taken, lead_closed,
 *   lead_not_found, already_bought, region_paused, exchange_unavailable, details_delayed
 */
export async function giveLead(
  context: Context,
  leadId: string,
  order: { businessId: string; userId: string; mode: "claimed" | "assigned"; requestId?: string },
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const db = context.db;
  if (!(await findActiveProvider(db, order.businessId)))
    throw new DomainError("not_found", "No active provider found");
  const { requestId, ...buyer } = order;
  const { answer, region } = await sendCommandToMarket(context, {
    type: "sell",
    leadId,
    ...buyer,
    amountCents: 0,
  });
  if (!answer.ok) throw adminRefusalError(answer);
  const { listing, repeated } = answer;
  const sale = listing.sale!;
  if (repeated && sale.mode !== order.mode)
    throw new DomainError("already_bought", "This lead is already in that provider's pipeline.");
  if ((await recordSale(context, region, listing, null, requestId ?? null)) === "conflict")
    throw new DomainError("lead_taken");
  ctx.waitUntil(notifyRoom(context, order, sale.purchaseId));
  const given = await findSoldLead(db, sale.purchaseId).catch(() => null);
  if (!given)
    throw new DomainError("details_delayed", "Lead assigned. It will show in the pipeline within a minute.");
  if (given.purchase.removedAt !== null) throw new DomainError("lead_closed");
  return given;
}
