import type { QueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { type ApiClient, codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { nextCursor } from "../lib/next-page.ts";
import {
  EMPTY_REGION,
  type LeadGoneReason,
  type MarketState,
  type RegionMarket,
  withDetails,
  withFirstPage,
  withOlderPage,
  withoutLead,
} from "./market.ts";

export const MARKET_KEY = ["market"] as const;

export type LeadPage = { leads: LeadSummary[]; cursor: string | null };

/** Fetches one page of the available leads in some regions, newest first. */
export async function fetchLeads(
  api: ApiClient,
  regions: readonly string[],
  cursor?: string,
): Promise<LeadPage> {
  const response = await api.api.leads.$get({ query: { region: regions.join(","), cursor } });
  return { leads: await unwrap(response), cursor: nextCursor(response) };
}

export function editRegion(client: QueryClient, slug: string, edit: (region: RegionMarket) => RegionMarket) {
  client.setQueryData<MarketState>(MARKET_KEY, (market = {}) => ({
    ...market,
    [slug]: edit(market[slug] ?? EMPTY_REGION),
  }));
}

export function regionOf(client: QueryClient, slug: string): RegionMarket {
  return client.getQueryData<MarketState>(MARKET_KEY)?.[slug] ?? EMPTY_REGION;
}

/**
 * Fetches the first page of some regions. If a live message has arrived since the request, the region keeps its newer
 * state.
 */
export async function refreshRegions(client: QueryClient, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return;
  const before = new Map(slugs.map((slug) => [slug, regionOf(client, slug).position?.seq]));
  const { leads, cursor } = await fetchLeads(browserApi(), slugs);
  for (const slug of slugs) {
    editRegion(client, slug, (region) =>
      region.position?.seq === before.get(slug)
        ? withFirstPage(
            region,
            leads.filter((lead) => lead.region === slug),
            cursor,
          )
        : region,
    );
  }
}

export async function loadOlder(client: QueryClient, slugs: readonly string[]): Promise<void> {
  await Promise.all(
    slugs.map(async (slug) => {
      const { cursor } = regionOf(client, slug);
      if (!cursor) return;
      const page = await fetchLeads(browserApi(), [slug], cursor);
      editRegion(client, slug, (region) => withOlderPage(region, page.leads, page.cursor));
    }),
  );
}

/** Fetches unmasked leads for super admins, because live events contain masked leads. */
export async function fetchDetails(client: QueryClient, slug: string): Promise<void> {
  const { leads } = await fetchLeads(browserApi(), [slug]);
  editRegion(client, slug, (region) => withDetails(region, leads));
}

export function removeLead(
  client: QueryClient,
  lead: Pick<LeadSummary, "id" | "region">,
  reason: LeadGoneReason,
) {
  editRegion(client, lead.region, (region) => withoutLead(region, lead.id, reason));
}

/** Removes a lead if an error says that it is no longer available. */
export function removeIfUnavailable(
  client: QueryClient,
  lead: Pick<LeadSummary, "id" | "region">,
  error: unknown,
) {
  const code = codeOf(error);
  if (code === "lead_taken") removeLead(client, lead, "taken");
  if (code === "lead_closed" || code === "lead_not_found") removeLead(client, lead, "withdrawn");
}

/** Returns the path of a region's socket, with the cursor to resume from. */
export function buildSocketPath(client: QueryClient, slug: string): string {
  const { position } = regionOf(client, slug);
  const path = `/api/exchange/${slug}/live`;
  if (!position) return path;
  return `${path}?since=${encodeURIComponent(`${position.epoch}:${position.seq}`)}`;
}
