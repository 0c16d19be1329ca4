/** Records that we can reach a customer: they used a link that we sent, or replied to a text. */
import { and, inArray, isNull } from "drizzle-orm";

import type { ConfirmedBy } from "../../../contract/lead-labels.ts";
import type { Context } from "../../platform/context.ts";
import { leads } from "../../platform/db/schema.ts";
import type { LeadRow } from "../rules.ts";
import { refreshListing } from "./change-commands.ts";
import { findRequestByToken } from "./queries.ts";

/** Marks a request as confirmed, once. The windows of providers who can buy it show that at once. */
export async function confirmCustomer(
  context: Context,
  lead: LeadRow,
  confirmedBy: ConfirmedBy,
  now: number,
): Promise<void> {
  if (lead.confirmedBy !== null) return;
  // After a rescue, the answers count in the first buyer's standing too.
  const ids = [lead.id, lead.rescuedFromId ?? lead.id];
  await context.db
    .update(leads)
    .set({ confirmedBy })
    .where(and(inArray(leads.id, ids), isNull(leads.confirmedBy), isNull(leads.erasedAt)));
  if (lead.status === "available" && lead.listingState === "listed")
    await refreshListing(context, lead.id, now);
}

/**
 * Confirms the customer who acts on the page that a link opens. Call it only for a post, because mail scanners fetch
 * links. A link that we did not send confirms nothing.
 */
export async function confirmByToken(context: Context, token: string, now: number): Promise<void> {
  const found = await findRequestByToken(context.db, token);
  if (found?.sentBy) await confirmCustomer(context, found.lead, found.sentBy, now);
}
