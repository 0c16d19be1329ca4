/** Changes of purchases that wait on this device for the server. Pure: this module stores and sends nothing. */
import type { ContactForm } from "../../contract/contacts.ts";
import type { PhotoKind } from "../../contract/photos.ts";
import type { PurchaseUpdate } from "../../contract/purchases.ts";
import type { SalesStage } from "../../contract/stages.ts";
import type { PurchasedLead } from "./purchases.ts";

/** Fields of a purchase that the user changes with a tap. */
export type Fields = NonNullable<PurchaseUpdate["was"]>;

/** New values of fields. `undoes`: the stage that the user moves the lead back from. */
export type FieldsUpdate = Fields & { undoes?: SalesStage };

/** When a photo of the work was taken. */
export type WorkKind = Extract<PhotoKind, "before" | "after">;

type Notes = { text: string; version: number };

/** What the user did. */
type Made =
  /**
   * `base` has the values before the change. It is null for an undo, which states its stage itself, and for a lead that
   * is not loaded.
   */
  | { kind: "fields"; body: FieldsUpdate; base: Fields | null }
  /** A call or a text message, with the lead's tries and its new stage after it. */
  | {
      kind: "contact";
      body: Pick<ContactForm, "outcome" | "at">;
      after: Pick<PurchasedLead, "tries"> & { salesStage?: SalesStage };
    }
  /** Notes, based on the server's. In a conflict another user saved first, so this user has to choose. */
  | { kind: "notes"; body: string; base: Notes; conflict?: Notes & { by: string | null } }
  /** A photo of the work: the file's media type, and its bytes as base64. */
  | { kind: "photo"; body: { of: WorkKind; type: string; bytes: string } };

/** A change that waits on this device, or that the server refused. */
export type OutboxEntry = Made & {
  /** Idempotency key. */
  id: string;
  purchaseId: string;
  /** The customer's name, for reporting a refusal after the lead is gone. Absent if the lead is not loaded. */
  name?: string;
  /** ID of the user who made the change. It is sent for no other user. */
  userId: string;
  /** This device's time (epoch ms). A purchase's entries are sent in this order. */
  madeAt: number;
  /** Why the server refused it. The user has not dismissed it yet. */
  error?: string;
};

export type NotesEntry = Extract<OutboxEntry, { kind: "notes" }>;
export type PhotoEntry = Extract<OutboxEntry, { kind: "photo" }>;

/** Prefix of the storage names of refused entries. `lib/encrypted-store.ts` does not encrypt names. */
export const REFUSED = "refused:";

const PREFIXES = { fields: "change:", contact: "change:", notes: "notes:", photo: "photo:" } as const;

/** Prefixes of the storage names of waiting entries. */
export const WAITING: readonly string[] = [...new Set(Object.values(PREFIXES))];

/** Returns an entry's storage name. Names with the same prefix sort by time. */
export function storageName({ kind, id, madeAt, error }: OutboxEntry): string {
  const prefix = error === undefined ? PREFIXES[kind] : REFUSED;
  return `${prefix}${String(madeAt).padStart(16, "0")}:${id}`;
}

/** Returns notes with newly typed text. A choice in a conflict replaces the other user's notes. */
export function retypeNotes({ conflict, ...notes }: NotesEntry, text: string): NotesEntry {
  const { text: before, version } = conflict ?? notes.base;
  return { ...notes, body: text, base: { text: before, version } };
}

/** Returns notes that the user typed while the server saved earlier ones, as a change of the saved ones. */
export function rebaseNotes(typed: NotesEntry, saved: Partial<PurchasedLead>): NotesEntry {
  const { salesNotes, notesVersion = typed.base.version } = saved;
  return { ...typed, base: { text: salesNotes ?? "", version: notesVersion } };
}

/** Returns the values before an update of the fields that it writes. */
export function valuesBefore(purchase: PurchasedLead, update: FieldsUpdate): Fields {
  const { undoes: _, ...fields } = update;
  const names = Object.keys(fields) as (keyof Fields)[];
  return Object.fromEntries(names.map((name) => [name, purchase[name]])) as Fields;
}

function applyEntry(purchase: PurchasedLead, entry: OutboxEntry): PurchasedLead {
  // The notes box and the list of photos show these entries themselves.
  if (entry.error !== undefined || entry.kind === "notes" || entry.kind === "photo") return purchase;
  // The server may already have counted a call, so this does not count it again.
  if (entry.kind === "contact") return { ...purchase, ...entry.after };
  const { undoes: _, ...fields } = entry.body;
  return { ...purchase, ...fields };
}

/** Returns the purchases as the user sees them: the server's, with the waiting entries applied in order. */
export function applyEntries(
  purchases: readonly PurchasedLead[],
  entries: readonly OutboxEntry[],
): readonly PurchasedLead[] {
  if (entries.length === 0) return purchases;
  const byPurchase = Map.groupBy(entries, ({ purchaseId }) => purchaseId);
  return purchases.map((purchase) => (byPurchase.get(purchase.id) ?? []).reduce(applyEntry, purchase));
}
