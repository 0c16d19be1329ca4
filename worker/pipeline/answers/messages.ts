import { and, eq, inArray, isNull, sql } from "drizzle-orm";

import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { OwnUpdateKind } from "../../../contract/request-links.ts";
import { findOwnPurchase } from "../../leads/message-queries.ts";
import { factsOf, pipelineLink, replacing } from "../../leads/message-words.ts";
import { hasRecentAlert, toDevices } from "../../outbox/commands.ts";
import { pushMessage, UNWANTED } from "../../outbox/message.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerAnswers } from "../tables.ts";
import { messages, pushDevices } from "../../platform/db/messages.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/purchases.ts";

/** A device gets one alert about a lead in this time, so three texts in a row cause one alert. */
const ANSWER_WINDOW_MS = 5 * MINUTE_MS;

/** Goes to the devices of the lead's buyer, in the batch that stores the customer's reply. */
export const customerAnswered = pushMessage({
  name: "customer_answered",
  reason: "The customer of a bought lead replied to our text message, and waits for a call.",
  lifetimeMs: 12 * HOUR_MS,
  to: ({ answerId }: { answerId: string }, now) => ({
    ...toDevices(
      and(
        eq(customerAnswers.id, answerId),
        sql`NOT ${hasRecentAlert("customer_answered", leadPurchases.leadId, now - ANSWER_WINDOW_MS)}`,
      ),
      sql`${customerAnswers}
        JOIN ${leadPurchases} ON ${leadPurchases.id} = ${customerAnswers.purchaseId}
        JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
    ),
    leadId: sql`${leadPurchases.leadId}`,
    payload: sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id})`,
  }),
  key: ({ answerId }) => answerId,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const found = await findOwnPurchase(loading);
    const { answeredAt = null, answersSeenAt = null } = found?.purchase ?? {};
    // A member of the business may have read it.
    return found && answeredAt !== null && answeredAt > (answersSeenAt ?? 0) ? found.shown : UNWANTED;
  },
  push: ({ summary, purchaseId, origin }) => ({
    title: "Your customer wrote back",
    body: factsOf(summary),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(summary.id, "high"),
  }),
});

/** Extends the lead's waiting alerts at each new reply. They may be waiting for quiet hours to end. */
export function extendAnswered(db: Db, answerId: string, now: number) {
  const leadOf = db
    .select({ id: leadPurchases.leadId })
    .from(customerAnswers)
    .innerJoin(leadPurchases, eq(leadPurchases.id, customerAnswers.purchaseId))
    .where(eq(customerAnswers.id, answerId));
  return db
    .update(messages)
    .set({ expiresAt: now + customerAnswered.lifetimeMs })
    .where(
      and(
        inArray(messages.leadId, leadOf),
        eq(messages.template, customerAnswered.name),
        eq(messages.state, "waiting"),
      ),
    );
}

/** A device gets one alert of a kind about a lead in this time, so three changes in a row cause one alert. */
const UPDATE_WINDOW_MS = 5 * MINUTE_MS;

const UPDATE_TITLES: Readonly<Record<OwnUpdateKind, string>> = {
  changed: "Your customer changed their request",
  withdrawn: "Your customer called off the job",
  erased: "Your customer deleted their details",
  wrong_number: "Your customer's number is wrong",
};

/** Goes to the buyer's devices, in the batch that stores the customer's update. */
export const customerUpdate = pushMessage({
  name: "customer_update",
  reason: "The customer of a bought lead changed or called off the request, or deleted their details.",
  lifetimeMs: 12 * HOUR_MS,
  to: ({ updateId }: { updateId: string }, now) => ({
    ...toDevices(
      and(
        eq(customerUpdates.id, updateId),
        isNull(leadPurchases.removedAt),
        sql`NOT ${hasRecentAlert("customer_update", leadPurchases.leadId, now - UPDATE_WINDOW_MS, customerUpdates.kind)}`,
      ),
      sql`${customerUpdates}
        JOIN ${leadPurchases} ON ${leadPurchases.leadId} = ${customerUpdates.leadId}
        JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
    ),
    leadId: sql`${leadPurchases.leadId}`,
    payload: sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id}, 'kind', ${customerUpdates.kind})`,
  }),
  key: ({ updateId }) => updateId,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const kind = loading.message.payload.kind as OwnUpdateKind;
    const found = await findOwnPurchase(loading, kind === "erased");
    return found ? { ...found.shown, kind } : UNWANTED;
  },
  push: ({ summary, kind, purchaseId, origin }) => ({
    title: UPDATE_TITLES[kind],
    body: factsOf(summary),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(summary.id, "high"),
  }),
});
