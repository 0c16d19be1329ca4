/** Alerts about new leads. `spread` in worker/messages/ expands the note about a lead into one message per device. */
import { and, eq, gt, sql } from "drizzle-orm";

import { label } from "../../../contract/lead-labels.ts";
import type { LeadSummary } from "../../../contract/leads.ts";
import { isStated } from "../../../contract/stated-details.ts";
import {
  checkAgainAt,
  type PushContent,
  type PushLoading,
  pushMessage,
  type Skip,
  UNWANTED,
} from "../../outbox/message.ts";
import { endOfPauseOrQuiet } from "../../outbox/quiet-rules.ts";
import { leads, pushDevices } from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";
import { dollars, leadLink, placeOf, replacing, servicesOf } from "../message-words.ts";
import { findLeadsToAlert, listForDigest } from "./queries.ts";
import { DIGEST_LIFETIME_MS, digestPlan, isWanted, NEW_LEAD_LIFETIME_MS } from "./rules.ts";

/** Delay before a held lead's message is checked again. A hold lasts five minutes at most. */
const HELD_MS = 30_000;

/** Returns the digest that replaces a message after the recipient's pause or quiet hours; null if it may be sent now. */
function postponeToDigest({ recipient, now }: PushLoading, findSince: () => number | undefined): Skip | null {
  const due = endOfPauseOrQuiet(now, recipient.quietHours, recipient.pausedUntil);
  // On the night the clocks change, quiet hours may end in the skipped hour. Then they are over already.
  if (due === null || due <= now) return null;
  const since = findSince();
  if (since === undefined) return UNWANTED;
  const { key: dedupeKey, ...plan } = digestPlan(recipient.id, due);
  const own = { id: newId("msg"), recipient: recipient.id, userId: recipient.userId };
  return { ...UNWANTED, replacement: { ...own, ...plan, dedupeKey, payload: { since }, createdAt: now } };
}

const alertOf = (summary: LeadSummary, origin: string, urgency: PushContent["urgency"]): PushContent => ({
  title: `New lead in ${placeOf(summary)}`,
  body: [servicesOf(summary), isStated(summary, "urgency") && label(summary.urgency), dollars(summary.price)]
    .filter(Boolean)
    .join(" · "),
  navigate: leadLink(origin, summary),
  ...replacing(summary.id, urgency),
});

/**
 * Enqueued as a note, in the batch that lists a lead. Requires that the lead is still `pending` in D1 and that a device
 * is registered.
 */
export const newLead = pushMessage({
  name: "new_lead",
  reason: "A new lead matches the provider's alert settings, and the first provider to buy it gets it.",
  lifetimeMs: NEW_LEAD_LIFETIME_MS,
  to: ({ leadId, generation }: { leadId: string; generation: number }) => ({
    channel: "spread",
    from: sql`${leads}`,
    where: and(
      eq(leads.id, leadId),
      eq(leads.generation, generation),
      eq(leads.listingState, "pending"),
      sql`EXISTS (SELECT 1 FROM ${pushDevices} WHERE ${gt(pushDevices.id, "")})`,
    ),
    leadId: null,
  }),
  key: ({ leadId, generation }) => `${leadId}:${generation}`,
  loadShared: findLeadsToAlert,
  postpone: (loading) =>
    postponeToDigest(loading, () => {
      const lead = loading.shared.get(loading.message.payload.leadId ?? "");
      return lead?.standing === "gone" ? undefined : lead?.summary.createdAt;
    }),
  load: async ({ message, recipient, shared, now }) => {
    const lead = shared.get(message.payload.leadId ?? "");
    if (!recipient.mayBuy || !lead || lead.standing === "gone") return UNWANTED;
    const { summary, size } = lead;
    if (!isWanted({ ...summary, size }, recipient)) return UNWANTED;
    return lead.standing === "held" ? checkAgainAt(now + HELD_MS) : { summary, origin: recipient.origin };
  },
  push: ({ summary, origin }) => alertOf(summary, origin, "high"),
});

/** One digest per device and due time, however many leads it covers. `leads`: those still for sale, newest first. */
export const leadDigest = pushMessage({
  name: "lead_digest",
  reason:
    "Several leads came within a minute, or during the provider's quiet hours or pause. One message lists them.",
  lifetimeMs: DIGEST_LIFETIME_MS,
  key: ({ due }: { due: number }) => `${due}`,
  postpone: (loading) => postponeToDigest(loading, () => loading.message.payload.since),
  load: async ({ env, message, recipient, now }) => {
    if (!recipient.mayBuy) return UNWANTED;
    const leadsLeft = await listForDigest(env, recipient, message.payload.since ?? now, now);
    return leadsLeft.length > 0 ? { leads: leadsLeft, origin: recipient.origin } : UNWANTED;
  },
  push: ({ leads: found, origin }) => {
    const [first] = found;
    if (first && found.length === 1) return alertOf(first, origin, "normal");
    const places = [...new Set(found.map(placeOf))];
    const named = places.slice(0, 3).join(", ");
    return {
      title: `${found.length} leads you can still buy`,
      body: places.length > 3 ? `${named} and elsewhere` : named,
      navigate: `${origin}/dashboard`,
      ...replacing("lead-digest", "normal"),
    };
  },
});
