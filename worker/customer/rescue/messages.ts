import { and, eq, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import { findOwnPurchase } from "../../leads/message-queries.ts";
import { factsOf, pipelineLink, replacing } from "../../leads/message-words.ts";
import { toDevices } from "../../outbox/commands.ts";
import { pushMessage, UNWANTED } from "../../outbox/message.ts";
import { leads } from "../../platform/db/leads.ts";
import { pushDevices } from "../../platform/db/messages.ts";

/** Goes to the buyer who did not call, if the rescued lead exists. */
export const leadRescued = pushMessage({
  name: "lead_rescued",
  reason:
    "The customer of a lead they bought says that no call came, so we offer the request to the next provider.",
  lifetimeMs: 12 * HOUR_MS,
  to: ({
    purchaseId,
    leadId,
    buyerId,
    rescueLeadId,
  }: {
    purchaseId: string;
    leadId: string;
    buyerId: string;
    rescueLeadId: string;
  }) => ({
    ...toDevices(
      and(
        eq(pushDevices.userId, buyerId),
        sql`EXISTS (SELECT 1 FROM ${leads} WHERE ${leads.id} = ${rescueLeadId})`,
      ),
    ),
    payload: { leadId, purchaseId },
  }),
  key: ({ purchaseId }) => purchaseId,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const found = await findOwnPurchase(loading);
    return found && found.purchase.paymentStatus !== "refunded" ? found.shown : UNWANTED;
  },
  push: ({ summary, purchaseId, origin }) => ({
    title: "Your customer's request has been passed on",
    body: factsOf(summary, "They say no call has reached them."),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(`call-${purchaseId}`, "normal"),
  }),
});
