import * as z from "zod/mini";

import { textToCents } from "./money.ts";
import { SALES_STAGES } from "./stages.ts";
import { maxSigns, optionalText, phoneSchema } from "./text-fields.ts";

/** How long a provider's notes about a purchase may be, in signs. */
export const NOTES_MAX = 20_000;

/** Notes are saved this long after typing stops. */
export const NOTES_AUTOSAVE_MS = 800;

export const PAYMENT_STATUSES = ["pending", "completed", "refunded", "disputed"] as const;

/** How a purchase came about. Direct purchases move no money; they exist for local development. */
export const PURCHASE_MODES = ["stripe", "direct", "claimed", "assigned", "manual"] as const;

/** Who buys: the purchase form. Amount and status are ours and are not read from here. */
export const purchaseRequestSchema = z.object({
  buyerName: z.string("Name is required").check(z.trim(), z.minLength(1, "Name is required"), maxSigns(100)),
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

/** What is changed by a tap or a button; notes, which are written, have a version of their own. */
const tappedFields = {
  salesStage: z.optional(z.enum(SALES_STAGES, "Unknown stage")),
  customerPaymentAmount: z.optional(amountSchema),
  /** When something is to be done next (epoch milliseconds); null takes date and note away. */
  nextActionAt: z.optional(
    z.nullable(z.int("Please choose a date").check(z.minimum(0), z.maximum(NEXT_ACTION_MAX))),
  ),
  nextActionNote: optionalText(200),
  /** Who of the business looks after it; null takes the lead off their list. */
  assignedTo: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
};

/**
 * Who made a change, told by windows that may send it later: under another person's session it is refused as
 * `unauthenticated`, and writes nothing.
 */
export const madeBySchema = z.optional(z.string().check(z.maxLength(64)));

/** How long the key of a change is, in signs: a UUID. */
export const CHANGE_KEY_LENGTH = 36;

/** Body of PATCH /api/lead-purchases/{id}/sales-stage. Absent fields stay as they are. */
export const purchaseUpdateSchema = z
  .object({
    ...tappedFields,
    salesNotes: z.optional(z.nullable(z.string().check(maxSigns(NOTES_MAX, "Notes are too long")))),
    madeBy: madeBySchema,
    /** Made by the window for each change: the same one again writes nothing. */
    changeKey: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/, "Please reload the page"))),
    /**
     * What these fields were when the change was made, if that is some time ago: refused when somebody has
     * changed one of them to something else since.
     */
    was: z.optional(
      z
        .object(tappedFields)
        .check(
          z.refine(
            (was) => Object.values(was).some((value) => value !== undefined),
            "Please reload the page",
          ),
        ),
    ),
    /** Takes back the move to this stage: refused when somebody has moved the lead on since. */
    undoes: z.optional(z.enum(SALES_STAGES, "Unknown stage")),
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
          update.assignedTo,
        ].some((value) => value !== undefined),
      "Nothing to change",
    ),
  );
export type PurchaseUpdate = z.infer<typeof purchaseUpdateSchema>;
