/**
 * Reads an exchange's records, which an older release may have written. Fills in missing fields, so that other code
 * only sees complete records. Keeps unknown fields: after a rollback they belong to a later release, which will need
 * them again.
 */
import type { MarketChange } from "../../contract/exchange.ts";
import { leadSummarySchema, type LeadSummary } from "../../contract/leads.ts";

import type { PauseRequest } from "./object.ts";
import type { Departure, Hold, Projection, Rescue, Sale } from "./listing.ts";

/** Defaults for missing fields of a summary. The id, region, price and times are always present. */
const SUMMARY_DEFAULTS: LeadSummary = leadSummarySchema.parse({
  id: "",
  region: "",
  price: "",
  createdAt: 0,
  expiresAt: 0,
});

function fillSummary(stored: Partial<LeadSummary>): LeadSummary {
  return { ...SUMMARY_DEFAULTS, ...stored };
}

export function readSummary(text: string | null): LeadSummary | null {
  return text === null ? null : fillSummary(JSON.parse(text) as Partial<LeadSummary>);
}

/** Reads a stored change. Returns a change of an unknown kind unmodified, because browsers skip it. */
export function readChange(text: string): MarketChange {
  const change = JSON.parse(text) as MarketChange;
  return "lead" in change ? { ...change, lead: fillSummary(change.lead) } : change;
}

/** Reads a stored sale. Fields that some sales lack are optional in its type. */
export function readSale(text: string | null): Sale | null {
  return text === null ? null : (JSON.parse(text) as Sale);
}

export function readHold(text: string | null): Hold | null {
  const stored = text === null ? null : (JSON.parse(text) as Partial<Hold>);
  return stored && ({ paymentIntentId: null, release: null, ...stored } as Hold);
}

export function readDeparture(text: string | null): Departure | null {
  const stored = text === null ? null : (JSON.parse(text) as Partial<Departure>);
  return stored && ({ byUserId: null, toRegion: null, ...stored } as Departure);
}

export function readProjection(text: string): Projection {
  return {
    sale: null,
    departure: null,
    rescue: null,
    ...(JSON.parse(text) as Partial<Projection>),
  } as Projection;
}

export function readRescue(text: string | null): Rescue | null {
  return text === null ? null : (JSON.parse(text) as Rescue);
}

export function readPause(text: string | null): PauseRequest | null {
  return text === null ? null : (JSON.parse(text) as PauseRequest);
}
