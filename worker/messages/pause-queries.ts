/** What becomes of news of the market whose turn comes while its reader has a pause. */
import type { messages } from "../db/schema.ts";
import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { digestInstead } from "./digest-commands.ts";
import { findQuietHours, type findLeadsToTell, type Hearer } from "./queries.ts";
import { endOfRest } from "./quiet-rules.ts";
import type { PushResult } from "./results.ts";

/**
 * Puts a message about the market off while its reader has a pause, be it set or made longer since the message was
 * written. What is about a purchase of theirs, or a test, is not put off.
 * @returns the digest in its place, or none where its lead is gone; null when it may be said now
 */
export async function putOff(
  env: Env,
  { template, payload }: Pick<typeof messages.$inferSelect, "template" | "payload">,
  hearer: Hearer,
  leadsNow: Awaited<ReturnType<typeof findLeadsToTell>>,
  now: number,
): Promise<Pick<PushResult, "instead"> | null> {
  const isOfMarket = template === "new_lead" || template === "lead_digest";
  const { pausedUntil } = hearer;
  if (!isOfMarket || pausedUntil === null || pausedUntil <= now) return null;
  const lead = leadsNow.get(payload.leadId ?? "");
  const since = payload.since ?? (lead?.standing === "gone" ? undefined : lead?.summary.createdAt);
  if (since === undefined) return {};
  const hours = await findQuietHours(database(env.DB), hearer);
  const due = endOfRest(now, hours, pausedUntil) ?? now;
  return { instead: digestInstead(hearer, { since, due }, now) };
}
