import * as z from "zod/mini";

import { textToCents } from "./money.ts";
import { optionalText, phoneSchema } from "./leads.ts";

/** Stages a purchase can be moved to, in the order of a job's life. */
export const SALES_STAGES = [
  "accepted_lead",
  "called",
  "quote_sent",
  "job_booked",
  "job_complete",
  "invoice_sent",
  "invoice_paid",
  "declined",
] as const;
export type SalesStage = (typeof SALES_STAGES)[number];

export const STAGE_LABELS: Record<SalesStage, string> = {
  accepted_lead: "Accepted lead",
  called: "Called",
  quote_sent: "Quote sent",
  job_booked: "Job booked",
  job_complete: "Job complete",
  invoice_sent: "Invoice sent",
  invoice_paid: "Invoice paid",
  declined: "Declined",
};

/** A stage as stored, or `accepted_lead` when it is not one of ours. */
export function knownStage(stored: string): SalesStage {
  return (SALES_STAGES as readonly string[]).includes(stored) ? (stored as SalesStage) : "accepted_lead";
}

/** The dashboard's tiles that show purchases. Finalised and archived purchases stand under Final. */
export const PIPELINE_TILES = [
  { id: "leads", label: "Leads", stage: "accepted_lead" },
  { id: "called", label: "Called", stage: "called" },
  { id: "quoted", label: "Quoted", stage: "quote_sent" },
  { id: "booked", label: "Booked", stage: "job_booked" },
  { id: "complete", label: "Complete", stage: "job_complete" },
  { id: "invoiced", label: "Invoiced", stage: "invoice_sent" },
  { id: "paid", label: "Paid", stage: "invoice_paid" },
  { id: "final", label: "Final", stage: null },
  { id: "declined", label: "Declined", stage: "declined" },
] as const satisfies readonly { id: string; label: string; stage: SalesStage | null }[];

/** Notes are saved this long after typing stops. */
export const NOTES_AUTOSAVE_MS = 800;

export const PAYMENT_STATUSES = ["pending", "completed", "refunded", "disputed"] as const;

/** How a purchase came about. Direct purchases move no money; they exist for local development. */
export const PURCHASE_MODES = ["stripe", "direct", "claimed", "assigned", "manual"] as const;

/** Who buys: the purchase form. Amount and status are ours and are not read from here. */
export const purchaseRequestSchema = z.object({
  buyerName: z
    .string("Name is required")
    .check(z.trim(), z.minLength(1, "Name is required"), z.maxLength(100)),
  buyerEmail: z
    .string("Valid email required")
    .check(z.trim(), z.maxLength(254), z.email("Valid email required")),
  buyerPhone: phoneSchema("Phone number required"),
  buyerCompany: optionalText(120),
});
export type PurchaseRequest = z.infer<typeof purchaseRequestSchema>;

/** The end of the year 2100: later is a slip of the finger. */
const NEXT_ACTION_MAX = 4_133_980_799_000;

/** An amount as decimal text; null clears it. */
const amountSchema = z.nullable(
  z
    .string("Please enter an amount")
    .check(z.refine((text) => textToCents(text) !== null, "Please enter an amount, such as 120.50")),
);

/** Body of PATCH /api/lead-purchases/{id}/sales-stage. Absent fields stay as they are. */
export const purchaseUpdateSchema = z
  .object({
    salesStage: z.optional(z.enum(SALES_STAGES, "Unknown stage")),
    salesNotes: z.optional(z.nullable(z.string().check(z.maxLength(20_000, "Notes are too long")))),
    customerPaymentAmount: z.optional(amountSchema),
    /** When something is to be done next (epoch milliseconds); null takes date and note away. */
    nextActionAt: z.optional(
      z.nullable(z.int("Please choose a date").check(z.minimum(0), z.maximum(NEXT_ACTION_MAX))),
    ),
    nextActionNote: optionalText(200),
    /** The version the notes were read at; another one on the server answers 409. */
    notesVersion: z.optional(z.int().check(z.minimum(0))),
  })
  .check(
    z.refine(
      (update) =>
        [
          update.salesStage,
          update.salesNotes,
          update.customerPaymentAmount,
          update.nextActionAt,
          update.nextActionNote,
        ].some((value) => value !== undefined),
      "Nothing to change",
    ),
  );
export type PurchaseUpdate = z.infer<typeof purchaseUpdateSchema>;
