/** Postpones market messages that come due in the recipient's pause or quiet hours. */
import type { messages } from "../platform/db/schema.ts";
import { digestInstead } from "./digest-commands.ts";
import type { findLeadsToTell, Hearer } from "./queries.ts";
import { endOfRest } from "../outbox/quiet-rules.ts";
import type { PushResult } from "./results.ts";

/**
 * Postpones a market message during the recipient's pause or quiet hours. That includes hours set or extended after
 * the message was written. Messages about the recipient's own purchases, and tests, are not postponed here.
 * @param now epoch ms
 * @returns the digest that replaces it, or none if its lead is gone; null if it may be sent now
 */
export function putOff(
  { template, payload }: Pick<typeof messages.$inferSelect, "template" | "payload">,
  hearer: Hearer,
  leadsNow: Awaited<ReturnType<typeof findLeadsToTell>>,
  now: number,
): Pick<PushResult, "instead"> | null {
  const isOfMarket = template === "new_lead" || template === "lead_digest";
  const due = isOfMarket ? endOfRest(now, hearer.quietHours, hearer.pausedUntil) : null;
  // On the night the clocks change, quiet hours may end in the skipped hour. They are over then.
  if (due === null || due <= now) return null;
  const lead = leadsNow.get(payload.leadId ?? "");
  const since = payload.since ?? (lead?.standing === "gone" ? undefined : lead?.summary.createdAt);
  return since === undefined ? {} : { instead: digestInstead(hearer, { since, due }, now) };
}
