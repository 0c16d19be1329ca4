/** What becomes of news of the market whose turn comes while its reader has a pause, or quiet hours. */
import type { messages } from "../db/schema.ts";
import { digestInstead } from "./digest-commands.ts";
import type { findLeadsToTell, Hearer } from "./queries.ts";
import { endOfRest } from "../outbox/quiet-rules.ts";
import type { PushResult } from "./results.ts";

/**
 * Puts a message about the market off while its reader has a pause or quiet hours, be they set or made longer since
 * the message was written. What is about a purchase of theirs, or a test, is not put off here.
 * @param now epoch ms
 * @returns the digest in its place, or none where its lead is gone; null when it may be said now
 */
export function putOff(
  { template, payload }: Pick<typeof messages.$inferSelect, "template" | "payload">,
  hearer: Hearer,
  leadsNow: Awaited<ReturnType<typeof findLeadsToTell>>,
  now: number,
): Pick<PushResult, "instead"> | null {
  const isOfMarket = template === "new_lead" || template === "lead_digest";
  const due = isOfMarket ? endOfRest(now, hearer.quietHours, hearer.pausedUntil) : null;
  // In the night when clocks change quiet hours may end in the hour that is missing: they are over then.
  if (due === null || due <= now) return null;
  const lead = leadsNow.get(payload.leadId ?? "");
  const since = payload.since ?? (lead?.standing === "gone" ? undefined : lead?.summary.createdAt);
  return since === undefined ? {} : { instead: digestInstead(hearer, { since, due }, now) };
}
