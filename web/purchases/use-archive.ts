import { useMutation, useQueryClient } from "@tanstack/react-query";

import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeKey, editPurchase, cachedPurchase, forget, purchaseKey } from "./purchases.ts";
import { refreshQuietly } from "./refresh-purchases.ts";

export type Placing = "archive" | "restore" | "remove";

/** The requested action, and whether it undoes another. */
type Asked = { placing: Placing; isUndo?: boolean };

/** Undoes an archive or a removal. */
const UNDO: Asked = { placing: "restore", isUndo: true };

const WORDS: Record<Placing, { done: string; failed: string }> = {
  archive: { done: "Lead archived", failed: "Error archiving lead" },
  restore: { done: "Lead restored", failed: "Error restoring lead" },
  remove: { done: "Lead removed", failed: "Error deleting lead purchase" },
};

const path = () => browserApi().api["lead-purchases"][":id"];

async function place(id: string, placing: Placing) {
  if (placing === "archive") return unwrap(path().archive.$post({ param: { id } }));
  if (placing === "restore") return unwrap(path().restore.$post({ param: { id } }));
  const response = await path().$delete({ param: { id } });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return null;
}

export function useArchive(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useMutation({
    mutationKey: changeKey(id),
    mutationFn: ({ placing }: Asked) => place(id, placing),
    onSuccess: (saved, { placing, isUndo = false }) => {
      if (!saved) forget(client, [id]);
      // The purchase is no longer in the list, so fetch it again.
      else if (!cachedPurchase(client, id)) void refreshQuietly(client, id);
      else editPurchase(client, id, (current) => ({ ...current, ...saved }));
      void client.invalidateQueries({ queryKey: purchaseKey(id) });
      const undo = placing === "restore" ? undefined : () => mutation.mutate(UNDO);
      toast({ title: isUndo ? "Lead is back" : WORDS[placing].done, undo });
    },
    onError: (error, { placing, isUndo = false }) =>
      toast({
        title: isUndo ? "Undo failed" : WORDS[placing].failed,
        description: messageOf(error, "The server could not be reached. Please try again."),
        tone: "destructive",
      }),
  });
  return mutation;
}
