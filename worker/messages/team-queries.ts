/** Builds messages about a business's own leads at sending time, and checks who may receive them. */
import { and, eq, isNull } from "drizzle-orm";

import { countMentions } from "../../contract/mentions.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { type Db, database } from "../platform/db/client.ts";
import { leadPurchases, leads, users } from "../platform/db/schema.ts";
import type { Env } from "../platform/env.ts";
import { findTeamAlerts, listMates } from "../identity/team/queries.ts";
import { maskedSummary } from "../leads/views.ts";
import type { MessagePayload, TeamTemplate } from "../platform/db/message-types.ts";
import type { OwnLeadVerdict } from "./own-lead-queries.ts";
import { findQuietHours, type Hearer } from "./queries.ts";
import { endOfQuiet } from "../outbox/quiet-rules.ts";
import { mentioned, teamSale } from "./team-templates.ts";

/** Whether a template is about a lead that the recipient's business has. */
export const isOfTeam = (template: string): template is TeamTemplate =>
  template === "mentioned" || template === "team_sale";

/** Returns a purchase that the recipient's business has and still works on, with its lead. */
async function findOwned(db: Db, purchaseId: string, hearer: Hearer) {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.id, purchaseId),
        eq(leadPurchases.buyerId, hearer.businessId),
        isNull(leadPurchases.removedAt),
        eq(leadPurchases.isArchived, false),
        isNull(leads.erasedAt),
      ),
    );
  return row ?? null;
}

/** Returns the first name of a note's writer; null if the writer has left. */
async function findWriter(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ firstName: users.firstName })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removedAt)));
  return row?.firstName ?? null;
}

/**
 * Builds a team message from the current state. A mention must still stand in the notes. The owner must still allow
 * such alerts. In the recipient's quiet hours the message waits.
 */
export async function aboutTeam(
  env: Env,
  { template, payload }: { template: TeamTemplate; payload: MessagePayload },
  hearer: Hearer,
  now: number,
): Promise<OwnLeadVerdict> {
  const db = database(env.DB);
  const { purchaseId = "", byUserId = "" } = payload;
  const found = await findOwned(db, purchaseId, hearer);
  if (!found) return "unwanted";
  const given = hearer.isTeam ? await findTeamAlerts(db, hearer.userId) : { sales: false, mentions: true };
  const { purchase, lead } = found;
  const isWanted =
    template === "mentioned"
      ? given.mentions &&
        countMentions(purchase.salesNotes ?? "", await listMates(db, hearer)).has(hearer.userId)
      : given.sales && purchase.paymentStatus === "completed";
  if (!isWanted) return "unwanted";
  const waitUntil = endOfQuiet(now, await findQuietHours(db, hearer));
  if (waitUntil !== null) return { waitUntil };
  const tab = PIPELINE_TILES.find(({ stage }) => stage === purchase.salesStage)?.id ?? "leads";
  const where = { purchaseId, tab, origin: hearer.origin };
  const summary = maskedSummary(lead);
  return template === "mentioned"
    ? mentioned(summary, await findWriter(db, byUserId), where)
    : teamSale(summary, where);
}
