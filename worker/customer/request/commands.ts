import { eq } from "drizzle-orm";

import { findLead } from "../../leads/queries.ts";
import { findCurrentLead } from "../../leads/request-link-store.ts";
import { changeRequest } from "../../leads/request-links/change-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import type { Context } from "../../platform/context.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import { log } from "../../platform/log.ts";

/**
 * Shows a changed number of photos on the market, or the photos in the buyer's windows. Never throws: a window that
 * misses the change shows it when it loads again.
 */
export async function announcePhotos(context: Context, leadId: string, now: number): Promise<void> {
  const { db } = context;
  try {
    const first = await findLead(db, leadId);
    const lead = first && (await findCurrentLead(db, first));
    if (!lead) return;
    // A change without details sends the market a new summary.
    if (lead.status === "available" && lead.listingState === "listed")
      await changeRequest(context, { lead }, {}, now);
    if (lead.status !== "sold") return;
    const bought = await db
      .select({ id: leadPurchases.id, businessId: leadPurchases.buyerId })
      .from(leadPurchases)
      .where(eq(leadPurchases.leadId, lead.id));
    for (const { id, businessId } of bought) await notifyRoom(context, { businessId, userId: "system" }, id);
  } catch (error) {
    log("warn", "photos_not_announced", { leadId, error });
  }
}
