import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { PurchaseUpdate } from "../../contract/purchases.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useToast } from "../ui/toaster.tsx";
import {
  changeKey,
  editPurchase,
  findPurchase,
  type PurchasedLead,
  refreshQuietly,
  rollBack,
  takeSaved,
} from "./purchases.ts";

/** What is said about a change, by the first of its fields. */
const WORDS = {
  salesStage: { done: "Sales stage updated", failed: "Error updating sales stage" },
  customerPaymentAmount: { done: "Payment amount saved", failed: "Error updating payment amount" },
  nextActionAt: { done: "Next action saved", failed: "Error updating next action" },
  undoes: { done: "Stage change undone", failed: "Undo failed" },
} as const;

type Field = "salesStage" | "customerPaymentAmount" | "nextActionAt";

function fieldOf(update: PurchaseUpdate): keyof typeof WORDS {
  if (update.undoes) return "undoes";
  if (update.salesStage) return "salesStage";
  return update.customerPaymentAmount === undefined ? "nextActionAt" : "customerPaymentAmount";
}

/** What of a refused change is still shown goes back to what it was. */
function withoutRefused(
  current: PurchasedLead,
  update: PurchaseUpdate,
  before: PurchasedLead,
): PurchasedLead {
  const isShown = (field: Field | "nextActionNote") =>
    update[field] !== undefined && update[field] === current[field];
  return {
    ...current,
    ...(isShown("salesStage") && { salesStage: before.salesStage }),
    ...(isShown("customerPaymentAmount") && { customerPaymentAmount: before.customerPaymentAmount }),
    ...(isShown("nextActionAt") && { nextActionAt: before.nextActionAt }),
    ...(isShown("nextActionNote") && { nextActionNote: before.nextActionNote }),
  };
}

/**
 * Saves a stage, an amount or a next action. Shown at once; taken back when the server refuses. Changes to
 * one purchase go out one after the other, each with its own field only, so that none overwrites another.
 */
export function usePurchaseChange(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useMutation({
    mutationKey: changeKey(id),
    scope: { id: `purchase:${id}` },
    mutationFn: (update: PurchaseUpdate) =>
      unwrap(
        browserApi().api["lead-purchases"][":id"]["sales-stage"].$patch({ param: { id }, json: update }),
      ),
    onMutate: () => {
      const before = findPurchase(client, id);
      editPurchase(client, id, (current) => current);
      return { before };
    },
    onSuccess: (saved, update, { before }) => {
      takeSaved(client, id, saved);
      // Said here, not where the change was made: moving a card takes it off its tab.
      toast({ title: WORDS[fieldOf(update)].done, undo: undoOf(update, before) });
    },
    onError: (error, update, context) => {
      toast({
        title: WORDS[fieldOf(update)].failed,
        description: messageOf(error, "The server could not be reached. Please try again."),
        tone: "destructive",
      });
      const before = context?.before;
      if (before) rollBack(client, id, (current) => withoutRefused(current, update, before));
      // What is shown comes from the server again.
      void refreshQuietly(client, id);
    },
  });
  /** Takes a move of the lead back; there is none to take back that was itself an undo, or moved nothing. */
  function undoOf({ salesStage, undoes }: PurchaseUpdate, before: PurchasedLead | undefined) {
    if (!salesStage || undoes || !before || before.salesStage === salesStage) return undefined;
    return () => mutation.mutate({ salesStage: before.salesStage, undoes: salesStage });
  }
  return mutation;
}
