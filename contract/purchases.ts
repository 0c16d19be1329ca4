import * as z from "zod/mini";

import { centsToText, readDecimalComma, textToCents } from "./money.ts";
import { NOTES_MAX } from "./notes.ts";
import { phoneSchema } from "./phone-fields.ts";
import { SALES_STAGES } from "./stages.ts";
import { maxCharacters, optionalLine, optionalText, requiredLine } from "./text-fields.ts";

export const PAYMENT_STATUSES = ["pending", "completed", "refunded", "disputed"] as const;

/** How a purchase was made. Direct purchases take no payment and exist for local development. */
export const PURCHASE_MODES = ["stripe", "direct", "claimed", "assigned", "manual"] as const;

/** The purchase form: the buyer's details. The server never reads an amount or a status from it. */
export const purchaseRequestSchema = z.object({
  buyerName: requiredLine("Name is required", { max: 100 }),
  buyerEmail: z
    .string("Valid email required")
    .check(z.trim(), z.maxLength(254), z.email("Valid email required")),
  buyerPhone: phoneSchema("Phone number required"),
  buyerCompany: optionalLine(120),
});
export type PurchaseRequest = z.infer<typeof purchaseRequestSchema>;

/** The end of the year 2100. A later date is a typo. */
const NEXT_ACTION_MAX = 4_133_980_799_000;
export const NEXT_ACTION_NOTE_MAX = 200;

/** Returns what is wrong with a typed amount. A decimal comma is a question: "1200,50" may mean 1200.50. */
function amountProblem({ input }: { input?: unknown }): string {
  const meant = readDecimalComma(input as string);
  return meant ? `Did you mean ${meant}? Use a point for cents.` : "Please enter an amount, such as 120.50";
}

/** An amount as typed text, which becomes the API's decimal text; null clears it. */
const amountSchema = z.nullable(
  z.string("Please enter an amount").check(
    z.refine((text) => textToCents(text) !== null, { error: amountProblem }),
    z.overwrite((text) => centsToText(textToCents(text) ?? 0)),
  ),
);

/** Fields that the user changes with a tap. Notes are separate because they have a version. */
const quickFields = {
  salesStage: z.optional(z.enum(SALES_STAGES, "Unknown stage")),
  customerPaymentAmount: z.optional(amountSchema),
  /** When the next action is due (epoch milliseconds). Null clears its date and note. */
  nextActionAt: z.optional(
    z.nullable(z.int("Please choose a day").check(z.minimum(0), z.maximum(NEXT_ACTION_MAX))),
  ),
  nextActionNote: optionalText(NEXT_ACTION_NOTE_MAX),
  /** The team member who looks after the lead; null unassigns it. */
  assignedTo: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
};

const editableFields = {
  ...quickFields,
  salesNotes: z.optional(z.nullable(z.string().check(maxCharacters(NOTES_MAX)))),
};
export type EditableField = keyof typeof editableFields;
const EDITABLE = Object.keys(editableFields) as EditableField[];

/**
 * Id of the user who made a change, because a window may send it later. If another user has signed in by then, the
 * server responds `unauthenticated` and writes nothing.
 */
export const madeBySchema = z.optional(z.string().check(z.maxLength(64)));

/** Length of a change's key, in characters: a UUID. */
export const CHANGE_KEY_LENGTH = 36;

/** Body of PATCH /api/lead-purchases/{id}/sales-stage. Omitted fields do not change. */
export const purchaseUpdateSchema = z
  .object({
    ...editableFields,
    madeBy: madeBySchema,
    /** Idempotency key, created by the window for each change. A repeated key writes nothing. */
    changeKey: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/, "Please reload the page"))),
    /**
     * For a change sent later: the values of these fields when the user made it. The server refuses the change if
     * another change came first.
     */
    was: z.optional(
      z
        .object(quickFields)
        .check(
          z.refine(
            (was) => Object.values(was).some((value) => value !== undefined),
            "Please reload the page",
          ),
        ),
    ),
    /** Undoes the move to this stage. Refused when the lead has moved on since. */
    undoes: z.optional(z.enum(SALES_STAGES, "Unknown stage")),
    /** The version of the notes that the window read. The server responds 409 if it has a different version. */
    notesVersion: z.optional(z.int().check(z.minimum(0))),
  })
  .check(z.refine((update) => EDITABLE.some((field) => update[field] !== undefined), "Nothing to change"));
export type PurchaseUpdate = z.infer<typeof purchaseUpdateSchema>;
