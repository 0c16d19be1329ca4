import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { PurchaseUpdate } from "../../contract/purchases.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeKey, editPurchase, PURCHASES_KEY, rollBack, type PurchasedLead } from "./purchases.ts";

/**
 * Saves a stage or an amount. Shown at once; taken back when the server refuses. Changes to one purchase
 * go out one after the other, each with its own field only, so that none overwrites another.
 */
export function usePurchaseChange(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationKey: changeKey(id),
    scope: { id: `purchase:${id}` },
    mutationFn: (update: PurchaseUpdate) =>
      unwrap(
        browserApi().api["lead-purchases"][":id"]["sales-stage"].$patch({ param: { id }, json: update }),
      ),
    onMutate: async () => {
      // An answer that left before this change would undo it on the screen.
      const wasFetching = client.isFetching({ queryKey: PURCHASES_KEY }) > 0;
      await client.cancelQueries({ queryKey: PURCHASES_KEY });
      const before = client
        .getQueryData<PurchasedLead[]>(PURCHASES_KEY)
        ?.find((candidate) => candidate.id === id);
      editPurchase(client, id, (current) => current);
      return { before, wasFetching };
    },
    onSuccess: (saved, update) => {
      // Notes have their own way of staying true.
      editPurchase(client, id, (current) => ({
        ...current,
        ...saved,
        salesNotes: current.salesNotes,
        notesVersion: current.notesVersion,
      }));
      // Said here, not where the change was made: moving a card takes it off its tab.
      toast({ title: update.salesStage ? "Sales stage updated" : "Payment amount saved" });
    },
    onError: (error, update, context) => {
      const { before } = context ?? {};
      toast({
        title: update.salesStage ? "Error updating sales stage" : "Error updating payment amount",
        description: messageOf(error, "The server could not be reached. Please try again."),
        tone: "destructive",
      });
      if (!before) return;
      rollBack(client, id, (current) => ({
        ...current,
        ...(update.salesStage === current.salesStage && { salesStage: before.salesStage }),
        ...(update.customerPaymentAmount !== undefined &&
          update.customerPaymentAmount === current.customerPaymentAmount && {
            customerPaymentAmount: before.customerPaymentAmount,
          }),
      }));
    },
    onSettled: (_saved, error, _update, context) => {
      const isFetching = client.isFetching({ queryKey: PURCHASES_KEY }) > 0;
      // After a refusal, what is shown comes from the server again.
      if (error || context?.wasFetching || isFetching)
        void client.invalidateQueries({ queryKey: PURCHASES_KEY });
    },
  });
}
