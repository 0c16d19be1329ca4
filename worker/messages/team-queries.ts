/** Who is told of a business's own leads, and what is said when it is sent. */
import { and, eq, isNull } from "drizzle-orm";

import { countMentions } from "../../contract/mentions.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { type Db, database } from "../db/client.ts";
import { leadPurchases, leads, users } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { findTeamAlerts, listMates } from "../team/queries.ts";
import { maskedSummary } from "../leads/views.ts";
import type { MessagePayload, TeamTemplate } from "../db/message-types.ts";
import type { OwnLeadVerdict } from "./own-lead-queries.ts";
import { findQuietHours, type Hearer } from "./queries.ts";
import { endOfQuiet } from "../outbox/quiet-rules.ts";
import { mentioned, teamSale } from "./team-templates.ts";

/** Whether a message is one of those about a lead that the hearer's business has. */
export const isOfTeam = (template: string): template is TeamTemplate =>
  template === "mentioned" || template === "team_sale";

/** A purchase that the hearer's business has and still works on, with its lead. */
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

/** The first name of who wrote a note; null for who has left. */
async function findWriter(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ firstName: users.firstName })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removedAt)));
  return row?.firstName ?? null;
}

/**
 * Makes what somebody is told of their business's lead out of what is so now: while its notes still mention them, and
 * while their owner still wants them told. In their quiet hours it waits.
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
