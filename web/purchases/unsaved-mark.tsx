import { useCallback, useSyncExternalStore } from "react";

import { Badge } from "../ui/badge.tsx";
import { useLateChanges } from "./change-desk.ts";
import { useNotesDesk } from "./notes-desk.tsx";

/** Whether the server does not have a purchase's notes yet, and not just because somebody is typing them. */
function useUnsavedNotes(purchaseId: string): boolean {
  const desk = useNotesDesk();
  const read = useCallback(() => desk.isUnsaved(purchaseId), [desk, purchaseId]);
  return useSyncExternalStore(desk.subscribe, read, read);
}

/** Says that a purchase's notes or changes have not reached the server yet; nothing when they have. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useLateChanges(purchaseId);
  const hasUnsavedNotes = useUnsavedNotes(purchaseId);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
