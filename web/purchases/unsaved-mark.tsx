import { useCallback, useSyncExternalStore } from "react";

import { Badge } from "../ui/badge.tsx";
import { useLateChanges } from "./change-desk.ts";
import { useNotesDesk } from "./notes-desk.tsx";

/** Returns whether a purchase's notes failed to save, not just whether typing is in progress. */
function useUnsavedNotes(purchaseId: string): boolean {
  const desk = useNotesDesk();
  const read = useCallback(() => desk.isUnsaved(purchaseId), [desk, purchaseId]);
  return useSyncExternalStore(desk.subscribe, read, read);
}

/** Marks a purchase with notes or changes the server does not have yet. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useLateChanges(purchaseId);
  const hasUnsavedNotes = useUnsavedNotes(purchaseId);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
