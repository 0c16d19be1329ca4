import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { readBusinessMessage } from "../../contract/exchange.ts";
import { useReplyToasts } from "./reply-toasts.ts";
import { recheckCurrentUser, useUser } from "../auth/current-user.ts";
import { OFFERS_KEY } from "./offers.ts";
import { BAD_LEADS_KEY } from "../bad-leads/bad-leads.ts";
import { useClock } from "../lib/clock.tsx";
import { useConnectionBoard } from "../lib/connection.tsx";
import { LiveSocket } from "../lib/live-socket.ts";
import { fetchMissedChanges, refreshOrIgnore } from "./refresh-purchases.ts";
import { formatAmount } from "../lib/format-money.ts";
import { useToast } from "../ui/toaster.tsx";
import { getOutbox } from "./use-outbox.ts";
import { useStoredEntries } from "./use-stored-entries.ts";

/** Ignores a failed request: the window catches up when the socket connects again. */
function ignoreFailure() {}

/** Applies changes made by team members and in other windows while the dashboard is open. */
export function useLivePurchases(): void {
  const { id: userId, businessId } = useUser();
  const client = useQueryClient();
  const board = useConnectionBoard();
  const { syncClock } = useClock();
  const toast = useToast();
  useStoredEntries();

  const showReply = useReplyToasts();

  const handleMessage = useEffectEvent((text: string) => {
    const message = readBusinessMessage(text);
    if (!message) return "reconnect";
    if (message.serverNow !== null) syncClock(message.serverNow);
    if (message.type === "payment_refunded") {
      toast({
        title: "Payment refunded",
        description: `The lead was gone before your payment arrived. ${formatAmount(message.amount)} is on its way back to your card.`,
        tone: "destructive",
      });
      return "ok";
    }
    // The socket has just connected, so earlier messages may have been missed.
    if (message.type === "hello") {
      void fetchMissedChanges(client).catch(ignoreFailure);
      getOutbox(client).flush();
    }
    // A missed notice, a purchase or a notice may have changed the offers.
    if (message.type !== "unknown") void client.invalidateQueries({ queryKey: OFFERS_KEY });
    if (message.type !== "purchase_changed") return "ok";
    // An admin may have resolved a report about this purchase.
    void client.invalidateQueries({ queryKey: BAD_LEADS_KEY });
    const isEcho = message.byUserId === userId && getOutbox(client).isOwnEcho(message.purchaseId);
    if (message.isAnswer) void showReply(message.purchaseId);
    else if (!isEcho) void refreshOrIgnore(client, message.purchaseId);
    return "ok";
  });

  useEffect(() => {
    let wasGreeted = false;
    const socket = new LiveSocket({
      // The room readmits a known window without querying D1.
      path: () => (wasGreeted ? `/api/business/live?business=${businessId}` : "/api/business/live"),
      onFrame: (text) => {
        wasGreeted = true;
        return handleMessage(text);
      },
      onState: (state) => board.report("business", state),
      onSessionDoubt: () => void recheckCurrentUser(client),
    });
    return () => socket.end();
  }, [businessId, client, board]);
}
