import { useCallback, useSyncExternalStore } from "react";

import { Badge } from "../ui/badge.tsx";
import { useHasLateChanges } from "./changes.ts";
import { useNotesDrafts } from "./notes-drafts.tsx";

/** Returns whether a purchase's notes failed to save. Notes still being typed do not count. */
function useHasUnsavedNotes(purchaseId: string): boolean {
  const notesDrafts = useNotesDrafts();
  const read = useCallback(() => notesDrafts.isUnsaved(purchaseId), [notesDrafts, purchaseId]);
  return useSyncExternalStore(notesDrafts.subscribe, read, read);
}

/** Shows a badge on a purchase with notes or changes that have not reached the server. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useHasLateChanges(purchaseId);
  const hasUnsavedNotes = useHasUnsavedNotes(purchaseId);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
