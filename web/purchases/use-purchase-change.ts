import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";

import type { PurchaseUpdate } from "../../contract/purchases.ts";
import { type SalesStage, STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { createChange, getChangeQueue, sendChange, useHasLateChanges } from "./changes.ts";
import type { Change, LoggedContact } from "./change-queue.ts";
import {
  changeKey,
  editPurchase,
  getCachedPurchase,
  type PurchasedLead,
  rollBackChange,
  applySavedFields,
} from "./purchases.ts";
import { refreshOrIgnore } from "./refresh-purchases.ts";
import { getRefusals } from "./refusals.ts";

type Sent = Change["update"];
type Update = Exclude<Sent, LoggedContact>;

/** Messages by the first field of a change. Logged calls and texts show no message on success. */
const TOAST_TEXTS = {
  called: { done: null, failed: "Call wasn't logged" },
  texted: { done: null, failed: "Text wasn't logged" },
  salesStage: { done: "Sales stage updated", failed: "Error updating sales stage" },
  customerPaymentAmount: { done: "Payment amount saved", failed: "Error updating payment amount" },
  nextActionAt: { done: "Next action saved", failed: "Error updating next action" },
  assignedTo: { done: "Assignment saved", failed: "Error assigning lead" },
  undoes: { done: "Stage change undone", failed: "Undo failed" },
} as const;

function fieldOf(update: Sent): keyof typeof TOAST_TEXTS {
  if ("contact" in update) return update.contact.outcome === "texted" ? "texted" : "called";
  if (update.undoes) return "undoes";
  if (update.salesStage) return "salesStage";
  if (update.assignedTo !== undefined) return "assignedTo";
  return update.customerPaymentAmount === undefined ? "nextActionAt" : "customerPaymentAmount";
}

type Field = "salesStage" | "customerPaymentAmount" | "nextActionAt" | "nextActionNote" | "assignedTo";
type Fields = Pick<PurchaseUpdate, Field>;

/** Returns the current values of the fields an update writes; undefined if the purchase is not loaded. */
function fieldsBefore(purchase: PurchasedLead | undefined, update: PurchaseUpdate): Fields | undefined {
  if (!purchase) return undefined;
  const { salesStage, customerPaymentAmount, nextActionAt, nextActionNote, assignedTo } = purchase;
  return {
    ...(update.salesStage !== undefined && { salesStage }),
    ...(update.customerPaymentAmount !== undefined && { customerPaymentAmount }),
    ...(update.nextActionAt !== undefined && { nextActionAt, nextActionNote }),
    ...(update.assignedTo !== undefined && { assignedTo }),
  };
}

/** Undoes the local effects of a call or message that the server refused to log. */
function withoutContact(current: PurchasedLead, { tries, salesStage, before }: LoggedContact): PurchasedLead {
  return {
    ...current,
    ...(current.tries === tries && { tries: before.tries }),
    ...(current.salesStage === salesStage && { salesStage: before.salesStage }),
  };
}

/** Reverts the fields of a refused change that still show the refused values. */
function withoutRefused(current: PurchasedLead, update: Sent): PurchasedLead {
  if ("contact" in update) return withoutContact(current, update);
  const before: Fields = update.undoes ? { salesStage: update.undoes } : (update.was ?? {});
  const isShown = (field: Field) =>
    before[field] !== undefined && update[field] !== undefined && update[field] === current[field];
  return {
    ...current,
    ...(isShown("salesStage") && { salesStage: before.salesStage! }),
    ...(isShown("customerPaymentAmount") && { customerPaymentAmount: before.customerPaymentAmount! }),
    ...(isShown("nextActionAt") && { nextActionAt: before.nextActionAt! }),
    ...(isShown("nextActionNote") && { nextActionNote: before.nextActionNote! }),
    ...(isShown("assignedTo") && { assignedTo: before.assignedTo! }),
  };
}

/** Adds an idempotency key and the previous values to a new change. */
function prepareUpdate(client: QueryClient, id: string, update: PurchaseUpdate): Update {
  // An undo already states the stage it reverts.
  const was = update.undoes ? undefined : fieldsBefore(getCachedPurchase(client, id), update);
  return { ...update, changeKey: crypto.randomUUID(), ...(was && { was }) };
}

type Options = { client: QueryClient; toast: (message: ToastMessage) => void; id: string };

/**
 * Returns the mutation for a change. The change is pending, and shown, until the server saves or refuses it.
 * @param stored the stored change, if an earlier visit left one
 */
function changeMutation({ client, toast, id }: Options, stored?: Change) {
  return {
    mutationKey: changeKey(id),
    mutationFn: (update: Sent) =>
      stored
        ? getChangeQueue(client).add(stored, true)
        : getChangeQueue(client).add(createChange(client, id, update)),
    onMutate: () => editPurchase(client, id, (current) => current),
    onSuccess: (saved: Awaited<ReturnType<typeof sendChange>>, update: Sent) => {
      applySavedFields(client, id, saved);
      const { done } = TOAST_TEXTS[fieldOf(update)];
      // Show the toast here: moving a card unmounts the component that made the change.
      if (done) toast({ title: done, undo: undoOf({ client, toast, id }, update) });
    },
    onError: (error: Error, update: Sent) => {
      // Late refusals are listed in a panel that stays.
      if (!getRefusals(client).has(update.changeKey)) {
        toast({
          title: TOAST_TEXTS[fieldOf(update)].failed,
          description: messageOf(error, "We couldn't reach the server. Please try again."),
          tone: "destructive",
        });
      }
      rollBackChange(client, id, (current) => withoutRefused(current, update));
      void refreshOrIgnore(client, id);
    },
  };
}

/**
 * Makes a change. It shows immediately and is sent after earlier changes.
 * @param stored the stored change, if an earlier visit left one
 * @returns whether the server saved the change
 */
export function startChange(options: Options, update: Sent, stored?: Change): Promise<boolean> {
  const { client } = options;
  const mutation = client.getMutationCache().build(client, changeMutation(options, stored));
  // The mutation reports the error itself.
  return mutation.execute(update).then(
    () => true,
    () => false,
  );
}

/** Moves several leads to one stage. One toast reports the result and offers an undo. */
export function useStageMoves() {
  const client = useQueryClient();
  const toast = useToast();
  const start = (id: string, update: PurchaseUpdate) =>
    startChange({ client, toast: () => {}, id }, prepareUpdate(client, id, update));
  return async (purchases: readonly PurchasedLead[], salesStage: SalesStage) => {
    const moves = purchases.filter((purchase) => purchase.salesStage !== salesStage);
    const isMoved = await Promise.all(moves.map(({ id }) => start(id, { salesStage })));
    const moved = moves.filter((_, index) => isMoved[index]);
    const failed = moves.length - moved.length;
    if (failed > 0) {
      toast({
        title: TOAST_TEXTS.salesStage.failed,
        description: `${failed} of ${moves.length} leads weren't moved.`,
        tone: "destructive",
      });
    } else {
      toast({
        title: `${moved.length === 1 ? "1 lead" : `${moved.length} leads`} moved to ${STAGES[salesStage].label}`,
        undo: () => {
          for (const { id, salesStage: before } of moved) {
            void start(id, { salesStage: before, undoes: salesStage });
          }
        },
      });
    }
  };
}

/** Returns a function that undoes a stage move; undefined for an undo or an unchanged stage. */
function undoOf(options: Options, update: Sent) {
  if ("contact" in update) return undefined;
  const { salesStage, undoes, was } = update;
  const before = was?.salesStage;
  if (!salesStage || undoes || !before || before === salesStage) return undefined;
  const { client, id } = options;
  return () =>
    void startChange(options, prepareUpdate(client, id, { salesStage: before, undoes: salesStage }));
}

/** Resumes a change that an earlier visit stored on this device. It shows immediately and is sent when online. */
export function resumeChange(
  client: QueryClient,
  toast: (message: ToastMessage) => void,
  change: Change,
): void {
  if (!getChangeQueue(client).has(change))
    void startChange({ client, toast, id: change.purchaseId }, change.update, change);
}

/**
 * Saves a stage, an amount, a next action or an assignee. The change shows immediately and reverts if the server refuses
 * it. Offline, it is stored on this device. Each request contains only the changed fields, so that it does not
 * overwrite others.
 */
export function usePurchaseChange(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation(changeMutation({ client, toast, id }));
  const isLate = useHasLateChanges(id);
  return {
    mutate: (update: PurchaseUpdate, options?: { onSuccess?: () => void }) =>
      mutate(prepareUpdate(client, id, update), options),
    /** Whether a change is being sent; false while it waits for a connection. */
    isPending: isPending && !isLate,
  };
}
