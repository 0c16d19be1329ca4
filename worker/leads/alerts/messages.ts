/** Alerts about new leads. `spread` in worker/messages/ expands the note about a lead into one message per device. */

import { and, eq, gt, inArray, sql } from "drizzle-orm";

import { label } from "../../../contract/lead-labels.ts";
import type { LeadSummary } from "../../../contract/leads.ts";
import { isRegion, type Region } from "../../../contract/regions.ts";
import { isStated } from "../../../contract/stated-details.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import {
  checkAgainAt,
  type MessageRow,
  type PushContent,
  type PushLoading,
  pushMessage,
  type Skip,
  UNWANTED,
} from "../../outbox/message.ts";
import { endOfPauseOrQuiet } from "../../outbox/rules.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { pushDevices } from "../../platform/db/messages.ts";
import { newId } from "../../platform/ids.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { dollars, leadLink, placeOf, replacing, servicesOf } from "../message-words.ts";
import { listShown } from "../queries.ts";
import { maskedSummary, type ShownLead } from "../views.ts";
import {
  type AlertChooser,
  alertRegions,
  DIGEST_LIFETIME_MS,
  digestPlan,
  isWanted,
  NEW_LEAD_LIFETIME_MS,
  sizeOf,
} from "./rules.ts";

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

// Reads the leads of alerts, as rivals see them, with their current state.

/** A lead's state at its exchange: for sale, held, or gone. */
type LeadStanding = "available" | "held" | "gone";

/** Returns the states of leads from their exchanges, because D1 does not store holds. */
async function statesOf(context: Context, requested: readonly { id: string; region: string }[]) {
  const byRegion = Map.groupBy(requested, ({ region }) => region);
  const states = await Promise.all(
    [...byRegion].map(([region, those]) =>
      withTimeout(exchangeOf(context, region)!.recordsOf(those.map(({ id }) => id))),
    ),
  );
  return new Map(states.flat().map(({ leadId, state }) => [leadId, state]));
}

/**
 * Returns the leads of these messages as rivals see them, with their current state. Omits unknown leads and leads of
 * another generation.
 */
async function findLeadsToAlert(
  context: Context,
  messages: readonly MessageRow[],
): Promise<Map<string, { summary: LeadSummary; size: string | null; standing: LeadStanding }>> {
  const generations = new Map(
    messages.flatMap(({ payload: { leadId, generation } }) =>
      leadId && generation ? [[leadId, generation] as const] : [],
    ),
  );
  const ids = [...generations.keys()];
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .select()
    .from(leads)
    .where(inArray(leads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`));
  const sameGeneration = rows.filter(({ id, generation }) => generations.get(id) === generation);
  const stateOf = await statesOf(context, sameGeneration);
  return new Map(
    sameGeneration.map((lead) => {
      const state = stateOf.get(lead.id);
      const isHeld = state === "held" || state === "releasing";
      const standing =
        state === "available" && lead.erasedAt === null ? "available" : isHeld ? "held" : "gone";
      return [lead.id, { summary: maskedSummary(lead), size: sizeOf(lead), standing }];
    }),
  );
}

/** A user with their alert settings. Only owners get market alerts, so the business has their id. */
type MarketReader = AlertChooser & { userId: string };

/** Maximum leads counted in a digest. It names fewer. */
const DIGEST_LEADS = 20;
/** Maximum market pages to search for a user who wants few of many leads. */
const DIGEST_PAGES = 5;

/** Returns the newest leads since a given time in these regions that match the recipient's alert settings. */
async function newestFor(db: Db, recipient: MarketReader, regions: Region[], since: number, now: number) {
  const found: ShownLead[] = [];
  let after: ShownLead | null = null;
  for (let page = 0; page < DIGEST_PAGES && found.length < DIGEST_LEADS; page++) {
    const rows: ShownLead[] = await listShown(db, {
      businessId: recipient.userId,
      regions,
      limit: DIGEST_LEADS,
      after,
      now,
    });
    const fresh = rows.filter(({ createdAt }) => createdAt >= since);
    found.push(...fresh.filter((lead) => isWanted({ ...lead, size: sizeOf(lead) }, recipient)));
    if (fresh.length < DIGEST_LEADS) break;
    after = rows.at(-1) ?? null;
  }
  return found.slice(0, DIGEST_LEADS);
}

/** Returns leads since a given time that match the recipient's alert settings and are still for sale, newest first. */
async function listForDigest(context: Context, recipient: MarketReader, since: number, now: number) {
  const regions = alertRegions(recipient).filter((slug): slug is Region => isRegion(slug));
  if (regions.length === 0) return [];
  const wanted = await newestFor(context.db, recipient, regions, since, now);
  const stateOf = await statesOf(context, wanted);
  return wanted.filter(({ id }) => stateOf.get(id) === "available").map(maskedSummary);
}
