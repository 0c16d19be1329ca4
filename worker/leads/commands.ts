import { MINUTE_MS } from "../../contract/durations.ts";
import type { LeadRequest } from "../../contract/leads.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import type { Region } from "../../contract/regions.ts";
import type { Db } from "../platform/db/client.ts";
import { requestLinks } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { isUniqueViolation, unusedReference } from "../platform/db/unique.ts";
import { exchangeOf } from "../exchange/exchange-calls.ts";
import { hashToken } from "../identity/auth/rules.ts";
import type { Context } from "../platform/context.ts";
import { closeListing, projectListing } from "./projection-commands.ts";
import type { Answer, Rescue } from "../exchange/listing.ts";
import { newLeadId } from "../platform/ids.ts";
import { withTimeout } from "../platform/timeout.ts";
import { attachUploads, countUploads } from "./photos/commands.ts";
import type { Screened } from "./quarantine/commands.ts";
import { withoutScreening } from "./quarantine/contact-keys.ts";
import { findBySubmission, listPending } from "./queries.ts";
import { type LeadRow, formatPlace } from "./rules.ts";
import { ADDRESS_NOTE, maskedSummary, redactLead } from "./views.ts";
import { submissionToken } from "./request-link-store.ts";
import { log } from "../platform/log.ts";

/** Minimum age of a request for the sweep. The Worker may still be listing a newer one. */
const SWEEP_AGE_MS = 10_000;

/** An offer that ended this long ago and is still open in D1 may be lost. The sweep lists its lead again. */
const OFFER_DELAY_MS = 2 * MINUTE_MS;
const SWEEP_BATCH = 100;

/** Details of a new lead that are not part of the request. */
export type LeadOrigin = {
  source: "quote" | "booking";
  customerId: string | null;
  now: number;
  lifetimeMs: number;
  screened: Screened;
};

/** Requires a column for each answer. Without it, the insert would silently drop the answer. */
type WithColumns<Answers> = {
  [Field in keyof Answers]: Field extends keyof typeof leads.$inferInsert ? Answers[Field] : never;
};

/** Builds the row for a visitor's request, with its suburb and region. Does not store the row. */
export function newLeadRow(request: LeadRequest, origin: LeadOrigin) {
  const { suburbId: _, addressSuburb: __, addressPostcode: ___, ...asked } = withoutScreening(request);
  const { consentWording, submissionId, ...rest } = asked;
  const { reasons, keys, place: found, address, note, senderBusinessId } = origin.screened;
  const requests = [rest.specificRequests, note && ADDRESS_NOTE + note].filter(Boolean).join("\n");
  const answers: WithColumns<typeof rest> = {
    ...rest,
    customerAddress: address,
    specificRequests: requests || null,
  };
  const place = formatPlace(found);
  return {
    ...answers,
    ...redactLead({ ...answers, ...place }),
    id: newLeadId(place.region),
    reference: unusedReference(),
    submissionId: submissionId ?? null,
    source: origin.source,
    customerId: origin.customerId,
    ...place,
    ...keys,
    excludedBusinessId: senderBusinessId,
    quarantineReasons: reasons,
    listingState: reasons.length > 0 ? ("quarantined" as const) : ("pending" as const),
    priceCents: LEAD_PRICE_CENTS,
    consentWording: consentWording ?? null,
    consentAt: consentWording ? origin.now : null,
    createdAt: origin.now,
    expiresAt: origin.now + origin.lifetimeMs,
  };
}

/**
 * Stores a visitor's request and the link to its page, without listing it on the market.
 * @param request already validated against the contract
 * @returns the lead, the link's token, and whether the same submission was stored before
 */
export async function storeRequest(
  { db, originHashKey }: { db: Db; originHashKey: string | null },
  request: LeadRequest,
  options: Omit<LeadOrigin, "source">,
): Promise<{ lead: LeadRow; token: string; repeated: boolean }> {
  const row = newLeadRow(request, { ...options, source: "quote" });
  const { id: leadId, submissionId } = row;
  const values = submissionId ? { ...row, photoCount: countUploads(submissionId) } : row;
  const token = submissionToken(originHashKey, { leadId, submissionId });
  try {
    const [[stored]] = await db.batch([
      db.insert(leads).values(values).returning(),
      db.insert(requestLinks).values({ tokenHash: hashToken(token), leadId, createdAt: options.now }),
      ...(submissionId ? [attachUploads(db, leadId, submissionId)] : []),
    ]);
    return { lead: stored!, token, repeated: false };
  } catch (error) {
    if (!isUniqueViolation(error, "leads.submission_id")) throw error;
    // This submission already exists, perhaps from a concurrent request.
    const first = (await findBySubmission(db, submissionId!))!;
    return {
      lead: first,
      token: submissionToken(originHashKey, { leadId: first.id, submissionId }),
      repeated: true,
    };
  }
}

/** The queue of a rescued lead's offers, and its first buyer, who cannot buy it. */
export type RescueTerms = Pick<Rescue, "excludedBusinessId" | "queue">;

/**
 * Lists a stored request in its region's exchange, and projects the result to D1. Idempotent.
 * @param rescue null for a lead that was not rescued
 * @returns false if the region is paused; the lead then stays pending until it reopens
 * @throws the exchange's or D1's error; the lead stays pending and the sweep tries again
 */
export async function listLead(
  context: Context,
  lead: LeadRow,
  rescue: RescueTerms | null,
): Promise<boolean> {
  const exchange = exchangeOf(context, lead.region);
  if (!exchange) throw new Error(`No exchange for region ${lead.region}`);
  const { id: leadId, generation, priceCents, expiresAt, exchangeVersion: knownVersion } = lead;
  const terms = { leadId, generation, priceCents, expiresAt, knownVersion, ...(rescue && { rescue }) };
  const answer = await withTimeout<Answer>(
    exchange.decide({ type: "list", ...terms, summary: maskedSummary(lead) }),
  );
  if (!answer.ok && answer.reason === "paused") return false;
  if (answer.ok) await projectListing(context.db, answer.listing, null);
  else await closeListing(context.db, leadId, generation);
  return true;
}

/** Lists a new lead after the response to the visitor. If that fails, the sweep lists the lead within a minute. */
export function putOnMarketLater(
  context: Context,
  ctx: Pick<ExecutionContext, "waitUntil">,
  lead: LeadRow,
  requestId: string,
): void {
  ctx.waitUntil(
    listLead(context, lead, null)
      .then(() => context.DELIVER?.(null))
      .catch((error: unknown) => {
        log("warn", "listing_delayed", { leadId: lead.id, requestId, error });
      }),
  );
}

/**
 * Lists stored requests that are still pending because the exchange or the Worker failed. If an exchange is down, or
 * paused without D1 knowing, its requests wait for the next sweep. Other regions continue.
 * @param putOnMarket lists a lead, a rescued one with its offers
 * @returns the number of requests listed and the number left for the next sweep
 */
export async function sweepPending(
  context: Context,
  now: number,
  putOnMarket: (context: Context, lead: LeadRow) => Promise<boolean>,
): Promise<{ listed: number; failed: number }> {
  const unreachableRegions = new Set<Region>();
  const counts = { listed: 0, failed: 0 };
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    const filter = {
      before: now - SWEEP_AGE_MS,
      offeredUntil: now - OFFER_DELAY_MS,
      without: [...unreachableRegions],
      limit: SWEEP_BATCH,
    };
    const pending = await listPending(context.db, filter);
    const results = await Promise.allSettled(pending.map((lead) => putOnMarket(context, lead)));
    for (const [i, result] of results.entries()) {
      const isListed = result.status === "fulfilled" && result.value;
      counts[isListed ? "listed" : "failed"] += 1;
      if (isListed) continue;
      unreachableRegions.add(pending[i]!.region);
      // A short page is the last one. After a full page, more may be waiting.
      hasMore = pending.length === SWEEP_BATCH;
    }
  }
  return counts;
}
