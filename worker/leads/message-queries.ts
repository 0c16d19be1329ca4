/** Loads the leads and purchases of messages at the time of sending. */
import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";

import { CALLED_STAMPS } from "../../contract/call-state.ts";
import { isolate } from "../../contract/names.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import type { Loading, PushLoading } from "../outbox/message.ts";
import type { Db } from "../platform/db/client.ts";
import { leads } from "../platform/db/leads.ts";
import { leadPurchases } from "../platform/db/purchases.ts";
import { users } from "../platform/db/users.ts";
import { labelsOf } from "./message-words.ts";
import { BUYER_NAMES, publicName } from "./public-name.ts";
import { SHOWN } from "./queries.ts";
import { createRequestLink } from "./request-link-store.ts";
import type { LeadRow } from "./rules.ts";
import { maskedSummary, pick } from "./views.ts";

/** Returns the request that a message is about; null if it is erased. */
export async function findRequest({ db, message }: Loading): Promise<LeadRow | null> {
  const [lead] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.id, message.leadId ?? ""), isNull(leads.erasedAt)));
  return lead ?? null;
}

/** Returns a new secret link to a customer's page; null if this deployment has no site host. */
export async function createLink(
  { env, db, message, now }: Loading,
  path: "request" | "review",
  leadId: string,
): Promise<string | null> {
  const { siteUrl } = env.settings;
  if (!siteUrl) return null;
  const sentBy = message.channel === "email" || message.channel === "sms" ? message.channel : null;
  return `${siteUrl}/${path}/${await createRequestLink(db, leadId, now, { sentBy })}`;
}

const PURCHASE = pick(getTableColumns(leadPurchases), [
  "id",
  "buyerId",
  "mode",
  "paymentStatus",
  "removedAt",
  "isArchived",
  "salesStage",
  "salesNotes",
  "answeredAt",
  "answersSeenAt",
  "purchasedAt",
  "reachedAt",
  "tries",
  "clockEndsAt",
  "callClock",
  ...CALLED_STAMPS,
]);

/** Returns a purchase with its lead and its buyer, as messages need them. */
async function findPurchase(db: Db, purchaseId = "") {
  const [row] = await db
    .select({
      lead: { ...SHOWN, phoneKey: leads.phoneKey, erasedAt: leads.erasedAt },
      purchase: PURCHASE,
      names: BUYER_NAMES,
      phone: sql<string | null>`coalesce(${users.phone}, ${leadPurchases.buyerPhone})`,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .innerJoin(users, eq(users.id, leadPurchases.buyerId))
    .where(eq(leadPurchases.id, purchaseId));
  return row ?? null;
}

/**
 * Returns the bought request that a message to its customer is about. Null if it is erased, or if a text would go to a
 * number that has been corrected since.
 */
export async function findBoughtRequest({ db, message }: Loading) {
  const found = await findPurchase(db, message.payload.purchaseId);
  if (!found || found.lead.erasedAt !== null) return null;
  const { lead, purchase, names, phone } = found;
  if (message.channel === "sms" && lead.phoneKey !== message.recipient) return null;
  return { lead, purchase, phone, request: labelsOf(lead), company: isolate(publicName(names)) };
}

/** Returns the lead that the recipient is buying or was offered; null if it is erased or they may not buy. */
export async function findOwnLead({ db, message, recipient }: PushLoading) {
  if (!recipient.mayBuy) return null;
  const [lead] = await db
    .select(SHOWN)
    .from(leads)
    .where(and(eq(leads.id, message.payload.leadId ?? ""), isNull(leads.erasedAt)));
  return lead ? { lead, shown: { summary: maskedSummary(lead), origin: recipient.origin } } : null;
}

/**
 * Returns the recipient's own purchase, until it is removed.
 * @param isForErased also return it after its customer's details are erased; the job and the suburb stay
 */
export async function findOwnPurchase({ db, message, recipient }: PushLoading, isForErased = false) {
  if (!recipient.mayBuy) return null;
  const found = await findPurchase(db, message.payload.purchaseId);
  if (!found || found.purchase.buyerId !== recipient.userId || found.purchase.removedAt !== null) return null;
  const { lead, purchase } = found;
  if (lead.erasedAt !== null && !isForErased) return null;
  const shown = { summary: maskedSummary(lead), origin: recipient.origin, purchaseId: purchase.id };
  return { lead, purchase, shown };
}

/** Returns an open purchase of the recipient's business. `tab`: where the pipeline shows it. */
export async function findTeamPurchase({ db, message, recipient }: PushLoading) {
  const found = await findPurchase(db, message.payload.purchaseId);
  if (!found || found.purchase.buyerId !== recipient.businessId) return null;
  const { lead, purchase } = found;
  if (purchase.removedAt !== null || purchase.isArchived || lead.erasedAt !== null) return null;
  const tab = PIPELINE_TILES.find(({ stage }) => stage === purchase.salesStage)?.id ?? "leads";
  const shown = { summary: maskedSummary(lead), purchaseId: purchase.id, tab, origin: recipient.origin };
  return { purchase, shown };
}
