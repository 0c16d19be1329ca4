/**
 * The stages of a bought lead, in the order of a job. To add a stage, add an entry. An incomplete entry does not
 * compile. The compiler also requires a column of `lead_purchases` for a new `timestampColumn`.
 */
export type StageFacts = {
  label: string;
  /** Its tile on the dashboard: the id in the URL, and the label. */
  tile: { id: string; label: string };
  /** Text of the empty tile, which explains its purpose. */
  emptyText: string;
  /** The purchase's field for when the stage was first reached; null when another field stores that time. */
  timestampColumn: string | null;
  /** Whether a job that ever reached this stage counts as won in a provider's figures. */
  isWon: boolean;
};

export const STAGES = {
  accepted_lead: {
    label: "Accepted lead",
    tile: { id: "leads", label: "Leads" },
    emptyText: "Leads you buy land here first. Call while they're fresh, then move them along.",
    timestampColumn: null, // purchasedAt
    isWon: false,
  },
  called: {
    label: "Called",
    tile: { id: "called", label: "Called" },
    emptyText: "No one is waiting for your quote. Move a lead here once you've called.",
    timestampColumn: "calledAt",
    isWon: false,
  },
  quote_sent: {
    label: "Quote sent",
    tile: { id: "quoted", label: "Quoted" },
    emptyText: "No quotes sent. Move a lead here once you've sent your quote.",
    timestampColumn: "quoteSentAt",
    isWon: false,
  },
  job_booked: {
    label: "Job booked",
    tile: { id: "booked", label: "Booked" },
    emptyText: "No jobs are booked. Jobs you win stay here until they're done.",
    timestampColumn: "jobBookedAt",
    isWon: true,
  },
  job_complete: {
    label: "Job complete",
    tile: { id: "complete", label: "Complete" },
    emptyText: "No finished jobs are waiting for an invoice.",
    timestampColumn: "jobCompleteAt",
    isWon: true,
  },
  invoice_sent: {
    label: "Invoice sent",
    tile: { id: "invoiced", label: "Invoiced" },
    emptyText: "No open invoices.",
    timestampColumn: "invoiceSentAt",
    isWon: true,
  },
  invoice_paid: {
    label: "Invoice paid",
    tile: { id: "paid", label: "Paid" },
    emptyText: "No paid jobs yet. They stay here until you archive them.",
    timestampColumn: "invoicePaidAt",
    isWon: true,
  },
  declined: {
    label: "Declined",
    tile: { id: "declined", label: "Declined" },
    emptyText: "No declined leads. Jobs you didn't win go here.",
    timestampColumn: "declinedAt",
    isWon: false,
  },
} as const satisfies Record<string, StageFacts>;

/** A stage that a purchase can be moved to. */
export type SalesStage = keyof typeof STAGES;
export const SALES_STAGES = Object.keys(STAGES) as [SalesStage, ...SalesStage[]];

/** Returns a stored stage, or `accepted_lead` when it is unknown. */
export function parseStage(stored: string): SalesStage {
  return Object.hasOwn(STAGES, stored) ? (stored as SalesStage) : "accepted_lead";
}

/** Closed and archived purchases of any stage. */
const FINAL_TILE = {
  id: "final",
  label: "Final",
  stage: null,
  emptyText: "Closed and archived leads stay here, read-only.",
} as const;

export type PipelineTile = {
  id: (typeof STAGES)[SalesStage]["tile"]["id"] | (typeof FINAL_TILE)["id"];
  label: string;
  stage: SalesStage | null;
  emptyText: string;
};

/** The dashboard's purchase tiles, from left to right. Lost leads come last. */
export const PIPELINE_TILES: readonly PipelineTile[] = SALES_STAGES.flatMap((stage) => {
  const { tile, emptyText } = STAGES[stage];
  const own: PipelineTile = { ...tile, stage, emptyText };
  return stage === "declined" ? [FINAL_TILE, own] : [own];
});
