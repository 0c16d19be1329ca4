import { useMutation, useQueryClient } from "@tanstack/react-query";

import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeKey, editPurchase, forget, purchaseKey } from "./purchases.ts";

export type Placing = "archive" | "restore" | "remove";

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

/** Puts a purchase away, brings it back, or takes it out for good. */
export function useArchive(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationKey: changeKey(id),
    mutationFn: ({ placing }: { placing: Placing }) => place(id, placing),
    onSuccess: (saved, { placing }) => {
      if (saved) editPurchase(client, id, (current) => ({ ...current, ...saved }));
      else forget(client, [id]);
      void client.invalidateQueries({ queryKey: purchaseKey(id) });
      toast({ title: WORDS[placing].done });
    },
    onError: (error, { placing }) =>
      toast({
        title: WORDS[placing].failed,
        description: messageOf(error, "The server could not be reached. Please try again."),
        tone: "destructive",
      }),
  });
}
