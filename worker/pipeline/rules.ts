import { parsePhoneNumberFromString } from "libphonenumber-js/min";

import { serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/leads.ts";
import {
  matchesFilter,
  NO_DATE,
  PIPELINE_TILE_KEYS,
  type PipelineFilter,
  type PipelineSort,
  type PipelineTileKey,
  type TileCounts,
} from "../../contract/pipeline.ts";
import { STAGES } from "../../contract/stages.ts";
import { sydneyDay, sydneyMoment } from "../../contract/sydney-time.ts";
import type { PurchasedLead } from "../purchases/rules.ts";
import { csvLine } from "../csv.ts";

/** How many rows a call may look through for those a filter asks for. */
export const SCAN_ROWS = 500;

/**
 * How a page is read: how many rows from the index, and whether the tile's own index serves.
 * @param hasUnknown whether purchases stand on a stage that no list knows; they show under accepted_lead,
 *   whose index lacks them
 */
export function planPage(
  filter: PipelineFilter,
  limit: number,
  hasUnknown: boolean,
): { tile: PipelineTileKey | null; rows: number } {
  const isByPurchase = filter.sort === "newest" || filter.sort === "oldest";
  const isIndexed = isByPurchase && !(hasUnknown && filter.tile === "accepted_lead");
  const tile = isIndexed ? (filter.tile ?? null) : null;
  const isSifted =
    Boolean(filter.q || filter.service || filter.suburb || filter.age) || (filter.tile && !isIndexed);
  return { tile, rows: isSifted ? SCAN_ROWS : limit };
}

/** The value a purchase is sorted by. */
export function sortValue(purchase: PurchasedLead, sort: PipelineSort): number {
  if (sort === "updated") return purchase.updatedAt;
  if (sort === "next") return purchase.nextActionAt ?? NO_DATE;
  return purchase.purchasedAt;
}

/**
 * The page within a stretch of the pipeline.
 * @param scanned what the index gave, at most `rows` of it
 * @returns what the filter asks for, at most `limit`, and the purchase the next page starts behind; null
 *   when the pipeline has been read to its end
 */
export function siftPage(
  scanned: readonly PurchasedLead[],
  filter: PipelineFilter,
  page: { rows: number; limit: number; now: number },
): { items: PurchasedLead[]; last: PurchasedLead | null } {
  const matching = scanned.filter((purchase) => matchesFilter(purchase, filter, page.now));
  const items = matching.slice(0, page.limit);
  if (items.length === page.limit) return { items, last: items.at(-1) ?? null };
  return { items, last: scanned.length === page.rows ? (scanned.at(-1) ?? null) : null };
}

type Counted = readonly { tile: string; purchases: number }[];

const isTile = (tile: string): tile is PipelineTileKey =>
  (PIPELINE_TILE_KEYS as readonly string[]).includes(tile);

/** Whether purchases stand on a stage that no list knows, such as one of a release that was rolled back. */
export function hasUnknownStage(counted: Counted): boolean {
  return counted.some(({ tile, purchases }) => purchases > 0 && !isTile(tile));
}

/** Counts with a figure for every tile; what stands on an unknown stage counts under accepted_lead. */
export function toCounts(counted: Counted): TileCounts {
  const counts = Object.fromEntries(PIPELINE_TILE_KEYS.map((tile) => [tile, 0])) as TileCounts;
  for (const { tile, purchases } of counted) counts[isTile(tile) ? tile : "accepted_lead"] += purchases;
  return counts;
}

/**
 * A phone number for a spreadsheet: with the gaps people write here it stays text, and keeps its nought.
 * @returns numbers from abroad with their country; what is no number as it was typed
 */
export function csvPhone(phone: string): string {
  const number = parsePhoneNumberFromString(phone, "AU");
  if (!number?.isValid()) return phone;
  return number.country === "AU" ? number.formatNational() : number.formatInternational();
}

type Column = [title: string, value: (purchase: PurchasedLead) => string | number | null];

const moment = (at: number | null) => (at === null ? null : sydneyMoment(at));

const COLUMNS: readonly Column[] = [
  ["Customer", (p) => p.customerName],
  ["Phone", (p) => csvPhone(p.customerPhone)],
  ["Email", (p) => p.customerEmail],
  ["Address", (p) => p.customerAddress],
  ["Suburb", (p) => p.suburbName],
  ["Postcode", (p) => p.suburbPostcode],
  ["Services", (p) => p.serviceType.map(serviceName).join(", ")],
  ["How soon", (p) => label(p.urgency)],
  ["How often", (p) => label(p.frequency)],
  ["Property", (p) => label(p.propertyType)],
  ["Size", (p) => label(p.propertySize)],
  ["They wrote", (p) => p.specificRequests],
  ["Stage", (p) => STAGES[p.salesStage].label],
  ["Archived", (p) => (p.finalisedAt !== null ? "Closed" : p.isArchived ? "Archived" : "")],
  ["How it came", (p) => (p.mode === "manual" ? "Added by hand" : "Lead")],
  ["Paid for the lead", (p) => p.amountPaid],
  ["Customer payment", (p) => p.customerPaymentAmount],
  ["Next action on", (p) => (p.nextActionAt === null ? null : sydneyDay(p.nextActionAt))],
  ["Next action", (p) => p.nextActionNote],
  ["Notes", (p) => p.salesNotes],
  ["Bought or added", (p) => moment(p.purchasedAt)],
  ["Called", (p) => moment(p.calledAt)],
  ["Quote sent", (p) => moment(p.quoteSentAt)],
  ["Job booked", (p) => moment(p.jobBookedAt)],
  ["Job complete", (p) => moment(p.jobCompleteAt)],
  ["Invoice sent", (p) => moment(p.invoiceSentAt)],
  ["Invoice paid", (p) => moment(p.invoicePaidAt)],
  ["Declined", (p) => moment(p.declinedAt)],
];

/** The line with the columns' names; the mark in front tells spreadsheets that it is UTF-8. */
export function csvHead(): string {
  return `\uFEFF${csvLine(COLUMNS.map(([title]) => title))}`;
}

/** The lines of some purchases. */
export function csvLines(purchases: readonly PurchasedLead[]): string {
  return purchases.map((purchase) => csvLine(COLUMNS.map(([, value]) => value(purchase)))).join("");
}
