import { useMutation, useQueryClient } from "@tanstack/react-query";

import { afterContact, type Contact, type ContactOutcome } from "../../contract/contacts.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeKey, editPurchase, findPurchase, refreshQuietly, rollBack, takeSaved } from "./purchases.ts";

/** Logs calls and text messages of one purchase. What they change shows at once. */
export function useContactLog(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useMutation({
    mutationKey: changeKey(id),
    scope: { id: `purchase:${id}` },
    // What else is in there is laid over the purchase while this is on its way.
    mutationFn: ({ contact }: { contact: Contact; salesStage?: string; tries: number }) =>
      unwrap(browserApi().api["lead-purchases"][":id"].contacts.$post({ param: { id }, json: contact })),
    onMutate: () => {
      const before = findPurchase(client, id);
      editPurchase(client, id, (current) => current);
      return { before };
    },
    onSuccess: (saved) => takeSaved(client, id, saved),
    onError: (error, { contact }, context) => {
      toast({
        title: contact.outcome === "texted" ? "Text not logged" : "Call not logged",
        description: messageOf(error, "The server could not be reached. Please try again."),
        tone: "destructive",
      });
      const before = context?.before;
      if (before) {
        const { salesStage, tries } = before;
        rollBack(client, id, (current) => ({ ...current, salesStage, tries }));
      }
      void refreshQuietly(client, id);
    },
  });
  return {
    isPending: mutation.isPending,
    /**
     * @param entryKey made once for each call or message
     * @param at when it was, in epoch ms; now when left out
     */
    log(
      outcome: ContactOutcome,
      { entryKey, at }: { entryKey: string; at?: number },
      options?: { onError?: () => void },
    ) {
      const purchase = findPurchase(client, id);
      const before = { salesStage: purchase?.salesStage ?? "accepted_lead", tries: purchase?.tries ?? 0 };
      const { salesStage, tries } = afterContact(before, outcome);
      const contact = { outcome, entryKey, ...(at !== undefined && { at }) };
      const moved = salesStage === before.salesStage ? {} : { salesStage };
      mutation.mutate({ contact, tries, ...moved }, options);
    },
  };
}
