import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { NOTES_AUTOSAVE_MS } from "../../contract/notes.ts";
import { type NotesEntry, retypeNotes } from "./entries.ts";
import { getCachedPurchase, type PurchasedLead } from "./purchases.ts";
import { createEntry, getOutbox, useOutbox } from "./use-outbox.ts";

/** Returns a purchase's notes as the user sees them, and functions that change and save them. */
export function useNotes(purchase: PurchasedLead) {
  const client = useQueryClient();
  const { id } = purchase;
  // When the server has saved notes, this renders before the lists do.
  const { salesNotes, notesVersion } = getCachedPurchase(client, id) ?? purchase;
  const entry = useOutbox((outbox) => outbox.notesOf(id), undefined);
  const unsavedState = useOutbox((outbox) => outbox.stateOf(entry?.id), null);
  const saved = { text: salesNotes ?? "", version: notesVersion };
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string, delayMs = NOTES_AUTOSAVE_MS) => {
    setTyped(text);
    const outbox = getOutbox(client);
    const notes: NotesEntry = outbox.notesOf(id) ?? {
      ...createEntry(client, id, crypto.randomUUID()),
      kind: "notes",
      body: saved.text,
      base: saved,
    };
    outbox.type(retypeNotes(notes, text), delayMs);
  };
  const text = entry?.body ?? saved.text;
  return {
    text,
    base: entry?.base.text ?? "",
    conflict: entry?.conflict,
    state: unsavedState ?? (typed === text ? ("saved" as const) : ("idle" as const)),
    type,
    /** Saves a choice at once. */
    choose: (choice: string) => type(choice, 0),
    /** Saves unsaved notes now. */
    flush: () => getOutbox(client).flush(),
  };
}
