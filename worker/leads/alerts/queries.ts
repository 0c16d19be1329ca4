/** Reads the leads of alerts, as rivals see them, with their current state. */
import { inArray, sql } from "drizzle-orm";

import type { LeadSummary } from "../../../contract/leads.ts";
import { isRegion, type Region } from "../../../contract/regions.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { MessageRow } from "../../outbox/message.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { listShown } from "../queries.ts";
import { maskedSummary, type ShownLead } from "../views.ts";
import { type AlertChooser, alertRegions, isWanted, sizeOf } from "./rules.ts";

/** A lead's state at its exchange: for sale, held, or gone. */
export type LeadStanding = "available" | "held" | "gone";

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
export async function findLeadsToAlert(
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
export async function listForDigest(context: Context, recipient: MarketReader, since: number, now: number) {
  const regions = alertRegions(recipient).filter((slug): slug is Region => isRegion(slug));
  if (regions.length === 0) return [];
  const wanted = await newestFor(context.db, recipient, regions, since, now);
  const stateOf = await statesOf(context, wanted);
  return wanted.filter(({ id }) => stateOf.get(id) === "available").map(maskedSummary);
}
