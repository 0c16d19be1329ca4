import { Badge } from "../ui/badge.tsx";
import { useLateChanges } from "./change-desk.ts";
import { useUnsavedNotes } from "./notes-desk.tsx";

/** Says that a purchase's notes or changes have not reached the server yet; nothing when they have. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useLateChanges(purchaseId);
  const hasUnsavedNotes = useUnsavedNotes(purchaseId);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
