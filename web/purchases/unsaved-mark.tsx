import { Badge } from "../ui/badge.tsx";
import { useUnsavedNotes } from "./notes-desk.tsx";

/** Says that a purchase's notes have not reached the server yet; nothing when they have. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  return useUnsavedNotes(purchaseId) ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
