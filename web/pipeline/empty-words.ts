import type { PipelineTile } from "./pipeline-place.ts";

/** What a tile without purchases says: what it is for. */
export const EMPTY_WORDS: Record<PipelineTile["id"], string> = {
  leads: "Leads you buy land here first. Call while they are fresh, then move them along.",
  called: "Nobody is waiting for your quote. Move a lead here once you have called.",
  quoted: "No quotes are out. Move a lead here when you have sent yours.",
  booked: "No jobs are booked. Won jobs stand here until they are done.",
  complete: "No finished jobs are waiting for an invoice.",
  invoiced: "No invoices are open.",
  paid: "No paid jobs yet. They stand here until they are archived.",
  final: "Closed and archived leads are kept here, to read.",
  declined: "No declined leads. Jobs you did not win can rest here.",
};
