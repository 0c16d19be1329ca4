import { useCallback, useSyncExternalStore } from "react";

import { Badge } from "../ui/badge.tsx";
import { useLateChanges } from "./change-desk.ts";
import { useNotesDesk } from "./notes-desk.tsx";

/** Returns whether a purchase's notes failed to save. Notes still being typed do not count. */
function useUnsavedNotes(purchaseId: string): boolean {
  const desk = useNotesDesk();
  const read = useCallback(() => desk.isUnsaved(purchaseId), [desk, purchaseId]);
  return useSyncExternalStore(desk.subscribe, read, read);
}

/** Shows a badge on a purchase with notes or changes that have not reached the server. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useLateChanges(purchaseId);
  const hasUnsavedNotes = useUnsavedNotes(purchaseId);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
