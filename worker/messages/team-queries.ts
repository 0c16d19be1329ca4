/** Who is told of a business's own leads, and what is said when it is sent. */
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";

import { countMentions, type Mate } from "../../contract/mentions.ts";
import { USUAL_QUIET_HOURS } from "../../contract/notifications.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { type TeamAlerts, USUAL_TEAM_ALERTS } from "../../contract/team.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { type Db, database } from "../db/client.ts";
import { leadPurchases, leads, quietHours, teamAlerts, users } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { maskedSummary } from "../leads/views.ts";
import type { MessagePayload, TeamTemplate } from "./kinds.ts";
import type { OwnLeadVerdict } from "./own-lead-queries.ts";
import { findQuietHours, type Hearer } from "./queries.ts";
import { endOfQuiet } from "./quiet-rules.ts";
import { mentioned, teamSale } from "./team-templates.ts";

/** Whether a message is one of those about a lead that the hearer's business has. */
export const isOfTeam = (template: string): template is TeamTemplate =>
  template === "mentioned" || template === "team_sale";

/** More people than this no business of ours has. */
const MOST_MATES = 201;

/** The people of a business who may be mentioned: the owner and the team as it is now. */
export function listMates(db: Db, scope: Pick<BusinessScope, "businessId">): Promise<Mate[]> {
  const { businessId } = scope;
  return db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(
      and(
        or(eq(users.id, businessId), eq(users.teamOwnerId, businessId)),
        eq(users.isActive, true),
        isNull(users.removedAt),
      ),
    )
    .orderBy(users.createdAt, users.id)
    .limit(MOST_MATES);
}

/** What a team member is told of, as their owner has it. */
export async function findTeamAlerts(db: Db, userId: string): Promise<TeamAlerts> {
  const [row] = await db
    .select({ sales: teamAlerts.sales, mentions: teamAlerts.mentions })
    .from(teamAlerts)
    .where(eq(teamAlerts.userId, userId));
  return row ?? USUAL_TEAM_ALERTS;
}

/** Those of some people who may be told of a mention, each with their quiet hours. */
export async function listMentionable(db: Db, userIds: readonly string[]) {
  const rows = await db
    .select({ id: users.id, isOn: quietHours.isOn, startsAt: quietHours.startsAt, endsAt: quietHours.endsAt })
    .from(users)
    .leftJoin(quietHours, eq(quietHours.userId, users.id))
    .leftJoin(teamAlerts, eq(teamAlerts.userId, users.id))
    .where(
      and(
        inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`),
        // What an owner is told of nobody chooses for them.
        sql`(${users.teamOwnerId} IS NULL OR coalesce(${teamAlerts.mentions}, ${USUAL_TEAM_ALERTS.mentions}))`,
      ),
    );
  return rows.map(({ id, isOn, startsAt, endsAt }) => ({
    id,
    hours: isOn === null ? USUAL_QUIET_HOURS : { isOn, startsAt: startsAt!, endsAt: endsAt! },
  }));
}

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
