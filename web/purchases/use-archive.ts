import { useMutation, useQueryClient } from "@tanstack/react-query";

import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { reload } from "../lib/query-client.ts";
import { useToast } from "../ui/toaster.tsx";
import { editPurchase, getCachedPurchase, removePurchases, purchaseKey } from "./purchases.ts";
import { refreshOrIgnore } from "./refresh-purchases.ts";
import { getOutbox } from "./use-outbox.ts";

export type ArchiveAction = "archive" | "restore" | "remove";

/** The requested action, and whether it undoes another. */
type ArchiveRequest = { action: ArchiveAction; isUndo?: boolean };

/** Undoes archiving or removal. */
const UNDO_ACTION: ArchiveRequest = { action: "restore", isUndo: true };

const TOAST_TEXTS: Record<ArchiveAction, { done: string; failed: string }> = {
  archive: { done: "Lead archived", failed: "Error archiving lead" },
  restore: { done: "Lead restored", failed: "Error restoring lead" },
  remove: { done: "Lead removed", failed: "Error deleting lead purchase" },
};

const getEndpoint = () => browserApi().api["lead-purchases"][":id"];

async function sendAction(id: string, action: ArchiveAction) {
  if (action === "archive") return unwrap(getEndpoint().archive.$post({ param: { id } }));
  if (action === "restore") return unwrap(getEndpoint().restore.$post({ param: { id } }));
  const response = await getEndpoint().$delete({ param: { id } });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return null;
}

export function useArchive(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useMutation({
    mutationFn: ({ action }: ArchiveRequest) => {
      getOutbox(client).expectEcho(id);
      return sendAction(id, action);
    },
    onSuccess: (saved, { action, isUndo = false }) => {
      if (!saved) removePurchases(client, [id]);
      // The purchase is no longer in the list, so fetch it again.
      else if (!getCachedPurchase(client, id)) void refreshOrIgnore(client, id);
      else editPurchase(client, id, (current) => ({ ...current, ...saved }));
      void reload(client, purchaseKey(id));
      const undo = action === "restore" ? undefined : () => mutation.mutate(UNDO_ACTION);
      toast({ title: isUndo ? "Lead restored" : TOAST_TEXTS[action].done, undo });
    },
    onError: (error, { action, isUndo = false }) =>
      toast({
        title: isUndo ? "Undo failed" : TOAST_TEXTS[action].failed,
        description: messageOf(error, "We couldn't reach the server. Please try again."),
        tone: "destructive",
      }),
  });
  return mutation;
}
