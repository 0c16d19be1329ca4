import type { LeadSummary } from "../../contract/leads.ts";
import type { Reading } from "./reading.ts";

/**
 * Which leads stand in the list now, and how many wait. While somebody reads, what is newer than all they see
 * waits; while a pointer is down, nothing comes and nothing goes.
 * @param leads all of them, newest first
 * @param drawn those that stood in the list before
 */
export function splitArrivals(
  leads: readonly LeadSummary[],
  drawn: readonly LeadSummary[],
  reading: Reading,
): { shown: readonly LeadSummary[]; waiting: number } {
  const known = new Set(drawn.map(({ id }) => id));
  const first = leads.findIndex(({ id }) => known.has(id));
  if (reading === "idle" || first < 0) return { shown: leads, waiting: 0 };
  if (reading === "reading") return { shown: leads.slice(first), waiting: first };
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  return { shown: drawn.map((lead) => byId.get(lead.id) ?? lead), waiting: first };
}
