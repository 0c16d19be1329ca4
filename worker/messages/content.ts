/** What a message says at the moment it is sent, or that it need not be said any more. */
import { messages } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { isWanted } from "./alert-rules.ts";
import { aboutOwnLead, isOfOwnLead, type OwnLeadVerdict } from "./own-lead-queries.ts";
import type { findLeadsToTell, Hearer } from "./queries.ts";
import { listForDigest } from "./queries.ts";
import { aboutTeam, isOfTeam } from "./team-queries.ts";
import { leadDigest, newLead, testMessage } from "./templates.ts";

/**
 * `held`: somebody may be buying the lead, or its hearer sees it at this moment: asked again a little later.
 * `unwanted`: it is gone, or its hearer looks elsewhere now.
 */
export type Verdict = OwnLeadVerdict;

type MessageRow = typeof messages.$inferSelect;
type Leads = Awaited<ReturnType<typeof findLeadsToTell>>;

function aboutLead(leadId: string, hearer: Hearer, leadsNow: Leads): Verdict {
  const lead = leadsNow.get(leadId);
  if (!lead || lead.standing === "gone") return "unwanted";
  const { summary, size } = lead;
  if (!isWanted({ ...summary, size }, hearer)) return "unwanted";
  return lead.standing === "held" ? "held" : newLead(summary, hearer.origin);
}

/**
 * Makes a message's content out of what is so now.
 * @param leadsNow the leads that messages of its group are about, as they stand
 */
export async function makeContent(
  env: Env,
  { template, payload }: Pick<MessageRow, "template" | "payload">,
  hearer: Hearer,
  leadsNow: Leads,
  now: number,
): Promise<Verdict> {
  if (isOfTeam(template)) return aboutTeam(env, { template, payload }, hearer, now);
  if (template === "test") return testMessage(hearer.origin, hearer.isTeam);
  if (!hearer.mayBuy) return "unwanted";
  if (template === "new_lead") return aboutLead(payload.leadId ?? "", hearer, leadsNow);
  if (isOfOwnLead(template)) return aboutOwnLead(env, { template, payload }, hearer, now);
  const found = await listForDigest(env, hearer, payload.since ?? now, now);
  return found.length > 0 ? leadDigest(found, 0, hearer.origin) : "unwanted";
}
