import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { formatAmount } from "../lib/format-money.ts";
import type { OutboxEntry, Fields, FieldsUpdate, WorkKind } from "./entries.ts";

/** The names of photos of the work. */
export const WORK_NAMES: Readonly<Record<WorkKind, string>> = { before: "Before", after: "After" };

type Texts = {
  /** The toast after the server has saved the change; null for none. */
  saved: string | null;
  /** The toast after a refusal. */
  failed: string;
  /** Names the change in the list of refused ones. */
  what: string;
};

type FieldTexts = {
  [Name in keyof Required<Fields>]: ((value: Fields[Name], all: FieldsUpdate) => Texts) | null;
};

/**
 * The texts of each field; null for one that changes only together with another. A change of several fields uses the
 * texts of the first one listed here.
 */
const FIELD_TEXTS: FieldTexts = {
  salesStage: (stage, { undoes }) => ({
    saved: undoes ? "Stage change undone" : "Sales stage updated",
    failed: undoes ? "Undo failed" : "Error updating sales stage",
    what: `${undoes ? "Stage back to" : "Stage"} “${STAGES[stage!].label}”`,
  }),
  customerPaymentAmount: (amount) => ({
    saved: "Payment amount saved",
    failed: "Error updating payment amount",
    what: amount === null ? "Payment removed" : `Payment ${formatAmount(amount!)}`,
  }),
  assignedTo: (userId) => ({
    saved: "Assignment saved",
    failed: "Error assigning lead",
    what: userId === null ? "Assignment removed" : "Assignment",
  }),
  nextActionAt: (at, { nextActionNote }) => ({
    saved: "Next action saved",
    failed: "Error updating next action",
    what:
      at === null
        ? "Next action removed"
        : nextActionNote
          ? `Next action “${nextActionNote}”`
          : "Next action",
  }),
  nextActionNote: null,
};

/** Returns what the user reads about an entry. */
export function textsOf(entry: OutboxEntry): Texts {
  if (entry.kind === "notes") return { saved: null, failed: "Notes weren't saved", what: "Notes" };
  if (entry.kind === "photo") {
    return { saved: null, failed: "Photo wasn't added", what: `Photo “${WORK_NAMES[entry.body.of]}”` };
  }
  if (entry.kind === "contact") {
    const { outcome } = entry.body;
    return outcome === "texted"
      ? { saved: null, failed: "Text wasn't logged", what: "Text message" }
      : { saved: null, failed: "Call wasn't logged", what: `Call, “${CONTACTS[outcome].label}”` };
  }
  const { body } = entry;
  const names = Object.keys(FIELD_TEXTS) as (keyof Fields)[];
  const name = names.find((field) => FIELD_TEXTS[field] && body[field] !== undefined);
  const texts = FIELD_TEXTS[name!] as (value: unknown, all: FieldsUpdate) => Texts;
  return texts(body[name!], body);
}
