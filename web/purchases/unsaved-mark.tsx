import { Badge } from "../ui/badge.tsx";
import { useHasLateChanges, useOutbox } from "./use-outbox.ts";

/** Shows a badge on a purchase with notes or changes that have not reached the server. */
export function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useHasLateChanges(purchaseId);
  const hasUnsavedNotes = useOutbox((outbox) => outbox.hasUnsavedNotes(purchaseId), false);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}
