/** Builds a message's content at sending time, or finds that it is no longer needed. */
import { messages } from "../platform/db/schema.ts";
import type { Env } from "../platform/env.ts";
import { isWanted } from "./alert-rules.ts";
import { aboutOwnLead, isOfOwnLead, type OwnLeadVerdict } from "./own-lead-queries.ts";
import type { findLeadsToTell, Hearer } from "./queries.ts";
import { listForDigest } from "./queries.ts";
import { aboutTeam, isOfTeam } from "./team-queries.ts";
import { leadDigest, newLead, testMessage } from "./templates.ts";

/**
 * `held`: the lead is on hold, or the recipient is viewing it. The message is checked again a little later.
 * `unwanted`: the lead is gone, or the recipient no longer wants such leads.
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
 * Builds a message's content from the current state.
 * @param leadsNow the current leads of the messages in its group
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
  return found.length > 0 ? leadDigest(found, hearer.origin) : "unwanted";
}
