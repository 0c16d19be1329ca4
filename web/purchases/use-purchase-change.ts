import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { type SalesStage, STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { type OutboxEntry, type FieldsUpdate, valuesBefore } from "./entries.ts";
import { textsOf } from "./entry-texts.ts";
import type { PurchasedLead } from "./purchases.ts";
import { refreshOrIgnore } from "./refresh-purchases.ts";
import { createEntry, getOutbox, getShownPurchase, useOutbox } from "./use-outbox.ts";

type Screen = { client: QueryClient; toast: (message: ToastMessage) => void };

/** Returns the entry of a change, with an idempotency key and the values before it. */
function fieldsEntry(client: QueryClient, purchaseId: string, body: FieldsUpdate): OutboxEntry {
  const shown = getShownPurchase(client, purchaseId);
  // An undo already states the stage it reverts.
  const base = shown && !body.undoes ? valuesBefore(shown, body) : null;
  return { ...createEntry(client, purchaseId, crypto.randomUUID()), kind: "fields", body, base };
}

/**
 * Sends an entry after earlier ones, and shows the result. Until then the entry shows as if it were saved.
 * @param isRestored whether an earlier visit stored the entry
 * @returns whether the server saved the change
 */
export async function sendAndReport(
  screen: Screen,
  entry: OutboxEntry,
  isRestored = false,
): Promise<boolean> {
  const { client, toast } = screen;
  const outbox = getOutbox(client);
  const { saved, failed } = textsOf(entry);
  try {
    await outbox.add(entry, isRestored);
  } catch (error) {
    // Late refusals are listed in a panel that stays.
    if (!outbox.isRefused(entry.id)) {
      toast({
        title: failed,
        description: messageOf(error, "We couldn't reach the server. Please try again."),
        tone: "destructive",
      });
    }
    void refreshOrIgnore(client, entry.purchaseId);
    return false;
  }
  // Show the toast here: moving a card unmounts the component that made the change.
  if (saved) toast({ title: saved, undo: undoOf(screen, entry) });
  return true;
}

/** Returns a function that undoes a stage move; undefined for an undo or an unchanged stage. */
function undoOf(screen: Screen, entry: OutboxEntry) {
  if (entry.kind !== "fields") return undefined;
  const { salesStage: undoes } = entry.body;
  const salesStage = entry.base?.salesStage;
  if (!undoes || !salesStage || salesStage === undoes) return undefined;
  const update = { salesStage, undoes };
  return () => void sendAndReport(screen, fieldsEntry(screen.client, entry.purchaseId, update));
}

/** Moves several leads to one stage. One toast reports the result and offers an undo. */
export function useStageMoves() {
  const client = useQueryClient();
  const toast = useToast();
  const start = (id: string, update: FieldsUpdate) =>
    sendAndReport({ client, toast: () => {} }, fieldsEntry(client, id, update));
  return async (purchases: readonly PurchasedLead[], salesStage: SalesStage) => {
    const moves = purchases.filter((purchase) => purchase.salesStage !== salesStage);
    const isMoved = await Promise.all(moves.map(({ id }) => start(id, { salesStage })));
    const moved = moves.filter((_, index) => isMoved[index]);
    const failed = moves.length - moved.length;
    if (failed > 0) {
      toast({
        title: "Error updating sales stage",
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

/**
 * Saves a stage, an amount, a next action or an assignee. The change shows immediately, until the server refuses it.
 * Offline, it is stored on this device. Each request contains only the changed fields, so that it does not overwrite
 * others.
 */
export function usePurchaseChange(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const [lastId, setLastId] = useState<string | null>(null);
  return {
    /** @returns whether the server saved the change */
    change: (update: FieldsUpdate): Promise<boolean> => {
      const entry = fieldsEntry(client, id, update);
      setLastId(entry.id);
      return sendAndReport({ client, toast }, entry);
    },
    /** Whether the last change is being sent; false while it waits for a connection. */
    isSending: useOutbox((outbox) => outbox.isOnTime(lastId), false),
  };
}
