/**
 * How an exchange reads what it stored, perhaps many releases ago: what was not yet part of a record then is
 * filled in here, once, so that nothing behind ever meets a record with a hole. Fields this release does not
 * know stay in: a later one wrote them, and after a rollback it will come back for them.
 */
import type { MarketChange } from "../../contract/exchange.ts";
import { leadSummarySchema, type LeadSummary } from "../../contract/leads.ts";

import type { PauseWord } from "./object.ts";
import type { Departure, Hold, Projection, Sale } from "./listing.ts";

/** What a summary says where nothing was said; its id, region, price and times always are. */
const UNSAID: LeadSummary = leadSummarySchema.parse({
  id: "",
  region: "",
  price: "",
  createdAt: 0,
  expiresAt: 0,
});

function fillSummary(stored: Partial<LeadSummary>): LeadSummary {
  return { ...UNSAID, ...stored };
}

/** A stored summary; null when there is none. */
export function readSummary(text: string | null): LeadSummary | null {
  return text === null ? null : fillSummary(JSON.parse(text) as Partial<LeadSummary>);
}

/** A stored change. Of a kind that this release does not know it is passed on as it is: browsers skip it. */
export function readChange(text: string): MarketChange {
  const change = JSON.parse(text) as MarketChange;
  return "lead" in change ? { ...change, lead: fillSummary(change.lead) } : change;
}

/** A stored sale; null when there is none. What not every sale has is optional in its type. */
export function readSale(text: string | null): Sale | null {
  return text === null ? null : (JSON.parse(text) as Sale);
}

/** A stored hold; null when there is none. */
export function readHold(text: string | null): Hold | null {
  const stored = text === null ? null : (JSON.parse(text) as Partial<Hold>);
  return stored && ({ paymentIntentId: null, release: null, ...stored } as Hold);
}

/** Where a lead went; null when it did not leave. */
export function readDeparture(text: string | null): Departure | null {
  const stored = text === null ? null : (JSON.parse(text) as Partial<Departure>);
  return stored && ({ byUserId: null, toRegion: null, ...stored } as Departure);
}

/** What D1 is to be told. */
export function readProjection(text: string): Projection {
  return { sale: null, departure: null, ...(JSON.parse(text) as Partial<Projection>) } as Projection;
}

/** Why the region is off the market; null when it is not. The first release stored no more than that it is. */
export function readPause(text: string | null): PauseWord | null {
  if (text === null) return null;
  const stored = JSON.parse(text) as Partial<PauseWord> | number;
  const word = typeof stored === "number" ? {} : stored;
  return { reason: "An operator's word", at: 0, ...word };
}
