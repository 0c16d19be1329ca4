import type { LeadSummary } from "../../contract/leads.ts";
import { newestFirst } from "./market.ts";

/**
 * Returns the leads to show and the number of waiting leads. While a shown lead is for sale, the list does not move:
 * newer leads wait, and a lead that left the market stays in place.
 * @param leads all leads for sale, newest first
 * @param rendered the leads shown so far
 */
export function splitArrivals(
  leads: readonly LeadSummary[],
  rendered: readonly LeadSummary[],
): { shown: readonly LeadSummary[]; waiting: number } {
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  const known = new Set(rendered.map(({ id }) => id));
  const last = rendered.at(-1);
  if (!last || !rendered.some(({ id }) => byId.has(id))) return { shown: leads, waiting: 0 };
  const unknown = leads.filter(({ id }) => !known.has(id));
  const older = unknown.filter((lead) => newestFirst(lead, last) > 0);
  return {
    shown: [...rendered.map((lead) => byId.get(lead.id) ?? lead), ...older],
    waiting: unknown.length - older.length,
  };
}
