import type { CallClock } from "../../contract/call-clock.ts";
import type { MarketChange, ReadChange, ReadExchangeMessage } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { formatCount } from "../lib/format-count.ts";

/** Reason why a lead left this window's list. This window sets `bought` before the exchange's message arrives. */
export type LeadGoneReason = Extract<MarketChange, { kind: "gone" }>["reason"] | "bought" | "taken";

/** A message type known to this release. */
type KnownMessage = Exclude<ReadExchangeMessage, { type: "unknown" }>;

/** A position in a region's history. */
export type MarketPosition = { epoch: string; seq: number };

export type RegionMarket = {
  leads: LeadSummary[];
  /** The number of leads for sale; null while only the first page is loaded. */
  total: number | null;
  /** Cursor of the next page of GET /api/leads; null when all leads are loaded. */
  cursor: string | null;
  /** Position in the region's history; null before the first live message. */
  position: MarketPosition | null;
  /** Leads that left, so that a late response does not add them again. */
  gone: Record<string, LeadGoneReason>;
};

/** All watched regions, by slug. */
export type MarketState = Record<string, RegionMarket>;

export const EMPTY_REGION: RegionMarket = {
  leads: [],
  total: null,
  cursor: null,
  position: null,
  gone: {},
};

export function newestFirst(a: LeadSummary, b: LeadSummary): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

/** Returns the union of two lists, newest first. For a lead in both lists, the version in `preferred` wins. */
function union(preferred: readonly LeadSummary[], others: readonly LeadSummary[]): LeadSummary[] {
  const known = new Set(preferred.map((lead) => lead.id));
  return [...preferred, ...others.filter((lead) => !known.has(lead.id))].toSorted(newestFirst);
}

/** Applies the first page of GET /api/leads, which contains the newest leads. */
export function withFirstPage(
  region: RegionMarket,
  page: readonly LeadSummary[],
  cursor: string | null,
): RegionMarket {
  const fresh = page.filter((lead) => !(lead.id in region.gone));
  if (!cursor) return { ...region, leads: fresh.toSorted(newestFirst), total: fresh.length, cursor: null };
  const oldest = page.at(-1);
  // Keep leads loaded beyond this page.
  const beyond = oldest ? region.leads.filter((lead) => newestFirst(lead, oldest) > 0) : [];
  return {
    ...region,
    leads: union(fresh, beyond),
    total: null,
    cursor: beyond.length > 0 ? region.cursor : cursor,
  };
}

export function withOlderPage(
  region: RegionMarket,
  page: readonly LeadSummary[],
  cursor: string | null,
): RegionMarket {
  const fresh = page.filter((lead) => !(lead.id in region.gone));
  return { ...region, leads: union(region.leads, fresh), cursor };
}

/** Removes a lead before the exchange's message arrives. */
export function withoutLead(region: RegionMarket, leadId: string, reason: LeadGoneReason): RegionMarket {
  if (leadId in region.gone) return region;
  return {
    ...region,
    leads: region.leads.filter((lead) => lead.id !== leadId),
    total: region.total === null ? null : Math.max(0, region.total - 1),
    gone: { ...region.gone, [leadId]: reason },
  };
}

/** Removes the leads that were passed on from this business's own purchases, because it cannot buy them. */
export function withoutPassedOn(
  market: MarketState,
  purchases: readonly { callClock?: CallClock | null }[],
): MarketState {
  const ids = new Set(purchases.flatMap(({ callClock }) => callClock?.rescueLeadId ?? []));
  const regions = Object.entries(market).map(([slug, region]) => {
    const passedOn = region.leads.filter(({ id }) => ids.has(id));
    return [slug, passedOn.reduce((next, { id }) => withoutLead(next, id, "withdrawn"), region)];
  });
  return Object.fromEntries(regions) as MarketState;
}

/** Adds the details that super admins may see. Live events contain only masked leads. */
export function withDetails(region: RegionMarket, full: readonly LeadSummary[]): RegionMarket {
  const byId = new Map(full.map((lead) => [lead.id, lead]));
  return {
    ...region,
    // The live hold is newer than this response.
    leads: region.leads.map((lead) => ({ ...(byId.get(lead.id) ?? lead), heldUntil: lead.heldUntil })),
  };
}

function withHold(region: RegionMarket, leadId: string, heldUntil: number | null): RegionMarket {
  return {
    ...region,
    leads: region.leads.map((lead) => (lead.id === leadId ? { ...lead, heldUntil } : lead)),
  };
}

/** Handles a released hold. Adds the lead again if this window had removed it as taken. */
function withReturned(region: RegionMarket, lead: LeadSummary): RegionMarket {
  if (region.gone[lead.id] !== "taken") return withHold(region, lead.id, null);
  const { [lead.id]: _, ...gone } = region.gone;
  return {
    ...region,
    gone,
    leads: union(region.leads, [lead]),
    total: region.total === null ? null : region.total + 1,
  };
}

/** Replaces a lead that the customer changed. Ignores a lead that this window has not loaded. */
function withRevised(region: RegionMarket, revised: LeadSummary): RegionMarket {
  return {
    ...region,
    leads: region.leads.map((lead) =>
      lead.id === revised.id ? { ...revised, heldUntil: lead.heldUntil } : lead,
    ),
  };
}

function withChange(region: RegionMarket, change: ReadChange): RegionMarket {
  if (change.kind === "gone") return withoutLead(region, change.leadId, change.reason);
  if (change.kind === "unknown") return region;
  if (change.kind === "held") return withHold(region, change.leadId, change.until);
  if (change.kind === "revised") return withRevised(region, change.lead);
  if (change.kind === "returned") return withReturned(region, change.lead);
  // A lead that we bought stays removed. Any other lead may be listed again, for example after it moved to another
  // region and back.
  if (region.gone[change.lead.id] === "bought" || region.leads.some((lead) => lead.id === change.lead.id))
    return region;
  const { [change.lead.id]: _, ...gone } = region.gone;
  return {
    ...region,
    gone,
    leads: union([change.lead], region.leads),
    total: region.total === null ? null : region.total + 1,
  };
}

/**
 * Applies a live message. @returns the new region; `gap` is true if messages are missing and the socket has to
 * reconnect
 */
export function withMessage(
  region: RegionMarket,
  message: KnownMessage,
): { region: RegionMarket; gap: boolean } {
  const { epoch, seq } = message;
  if (message.type === "snapshot") return { region: withSnapshot(region, message), gap: false };
  if (region.position?.epoch !== epoch) return { region: { ...region, position: null }, gap: true };
  let next = region;
  let reached = region.position.seq;
  for (const change of message.changes) {
    if (change.seq <= reached) continue;
    if (change.seq !== reached + 1)
      return { region: { ...next, position: { epoch, seq: reached } }, gap: true };
    next = withChange(next, change);
    reached = change.seq;
  }
  return { region: { ...next, position: { epoch, seq: reached } }, gap: reached < seq };
}

function withSnapshot(
  region: RegionMarket,
  message: Extract<KnownMessage, { type: "snapshot" }>,
): RegionMarket {
  const { epoch, seq, leads, total, cursor } = message;
  // Only super admins see addresses. They load the details of a changed lead again.
  const unmasked = new Map(
    region.leads.filter(({ customerAddress }) => customerAddress).map((lead) => [lead.id, lead]),
  );
  // A snapshot serialised earlier may still contain a lead just sold to us.
  const isOurs = ({ id }: LeadSummary) => region.gone[id] === "bought" || region.gone[id] === "taken";
  const open = leads.filter((lead) => !isOurs(lead));
  const shown = new Set(open.map(({ id }) => id));
  // An exchange that lost its storage may count a lead that has already gone, and report its end a second time. The
  // second report lowers the total only if we have forgotten the first.
  const isNewEpoch = region.position !== null && region.position.epoch !== epoch;
  const stayGone = ([id, reason]: [string, LeadGoneReason]) =>
    isNewEpoch ? reason === "bought" || reason === "taken" : !shown.has(id);
  return {
    ...region,
    gone: Object.fromEntries(Object.entries(region.gone).filter(stayGone)),
    leads: open
      .map((lead) => ({ ...(unmasked.get(lead.id) ?? lead), heldUntil: lead.heldUntil }))
      .toSorted(newestFirst),
    total: total - (leads.length - open.length),
    cursor,
    position: { epoch, seq },
  };
}

/** Splits a page by region. The page's cursor is valid for each region. */
export function buildMarket(
  slugs: readonly string[],
  page: readonly LeadSummary[],
  cursor: string | null,
): MarketState {
  return Object.fromEntries(
    slugs.map((slug) => [
      slug,
      withFirstPage(
        EMPTY_REGION,
        page.filter((lead) => lead.region === slug),
        cursor,
      ),
    ]),
  );
}

/**
 * Returns the leads of the chosen regions, newest first, and their count, such as "12" or "100+".
 * @param offerCount leads that only this business can buy, which the count includes
 */
export function listMarket(
  market: MarketState,
  slugs: readonly string[],
  offerCount = 0,
): { leads: LeadSummary[]; count: string; hasMore: boolean } {
  const regions = slugs.flatMap((slug) => market[slug] ?? []);
  const leads = regions.flatMap((region) => region.leads).toSorted(newestFirst);
  const isExact = regions.every((region) => region.total !== null);
  const total = regions.reduce((sum, region) => sum + (region.total ?? region.leads.length), offerCount);
  return {
    leads,
    count: isExact ? formatCount(total) : `${formatCount(total)}+`,
    hasMore: regions.some((region) => region.cursor !== null),
  };
}

/** Returns the reason why a lead left the list; null while it is listed. */
export function goneReason(market: MarketState, lead: LeadSummary): LeadGoneReason | null {
  const region = market[lead.region];
  if (!region) return null;
  const reason = region.gone[lead.id];
  if (reason) return reason;
  const isListed = region.leads.some((other) => other.id === lead.id);
  return isListed || region.cursor !== null ? null : "withdrawn";
}
