/**
 * The stages of a bought lead, in the order of a job's life. Everything the product knows of a stage stands
 * here: adding one is adding an entry, and one that lacks something does not compile. A `stamp` of its own is
 * also a column of `lead_purchases`, which the compiler then asks for.
 */
export type StageFacts = {
  label: string;
  /** Its tile on the dashboard: the name in the address, and what people read. */
  tile: { id: string; label: string };
  /** What the tile says while nothing stands there: what it is for. */
  empty: string;
  /** The purchase's field that keeps when the stage was first reached; null where another fact says so. */
  stamp: string | null;
  /** Whether a job that ever came this far counts as won in a provider's figures. */
  isWon: boolean;
};

export const STAGES = {
  accepted_lead: {
    label: "Accepted lead",
    tile: { id: "leads", label: "Leads" },
    empty: "Leads you buy land here first. Call while they are fresh, then move them along.",
    stamp: null, // purchasedAt
    isWon: false,
  },
  called: {
    label: "Called",
    tile: { id: "called", label: "Called" },
    empty: "Nobody is waiting for your quote. Move a lead here once you have called.",
    stamp: "calledAt",
    isWon: false,
  },
  quote_sent: {
    label: "Quote sent",
    tile: { id: "quoted", label: "Quoted" },
    empty: "No quotes are out. Move a lead here when you have sent yours.",
    stamp: "quoteSentAt",
    isWon: false,
  },
  job_booked: {
    label: "Job booked",
    tile: { id: "booked", label: "Booked" },
    empty: "No jobs are booked. Won jobs stand here until they are done.",
    stamp: "jobBookedAt",
    isWon: true,
  },
  job_complete: {
    label: "Job complete",
    tile: { id: "complete", label: "Complete" },
    empty: "No finished jobs are waiting for an invoice.",
    stamp: "jobCompleteAt",
    isWon: true,
  },
  invoice_sent: {
    label: "Invoice sent",
    tile: { id: "invoiced", label: "Invoiced" },
    empty: "No invoices are open.",
    stamp: "invoiceSentAt",
    isWon: true,
  },
  invoice_paid: {
    label: "Invoice paid",
    tile: { id: "paid", label: "Paid" },
    empty: "No paid jobs yet. They stand here until they are archived.",
    stamp: "invoicePaidAt",
    isWon: true,
  },
  declined: {
    label: "Declined",
    tile: { id: "declined", label: "Declined" },
    empty: "No declined leads. Jobs you did not win can rest here.",
    stamp: "declinedAt",
    isWon: false,
  },
} as const satisfies Record<string, StageFacts>;

/** A stage a purchase can be moved to. */
export type SalesStage = keyof typeof STAGES;
export const SALES_STAGES = Object.keys(STAGES) as [SalesStage, ...SalesStage[]];

/** A stage as stored, or `accepted_lead` when it is not one of ours. */
export function knownStage(stored: string): SalesStage {
  return Object.hasOwn(STAGES, stored) ? (stored as SalesStage) : "accepted_lead";
}

/** Closed and archived purchases, whatever their stage. */
const FINAL_TILE = {
  id: "final",
  label: "Final",
  stage: null,
  empty: "Closed and archived leads stay here, read-only.",
} as const;

export type PipelineTile = {
  id: (typeof STAGES)[SalesStage]["tile"]["id"] | (typeof FINAL_TILE)["id"];
  label: string;
  stage: SalesStage | null;
  empty: string;
};

/** The dashboard's tiles that show purchases, from left to right; what was lost comes last. */
export const PIPELINE_TILES: readonly PipelineTile[] = SALES_STAGES.flatMap((stage) => {
  const { tile, empty } = STAGES[stage];
  const own: PipelineTile = { ...tile, stage, empty };
  return stage === "declined" ? [FINAL_TILE, own] : [own];
});
