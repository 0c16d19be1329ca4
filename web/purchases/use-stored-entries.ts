import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { useUser } from "../auth/current-user.ts";
import { useToast } from "../ui/toaster.tsx";
import type { OutboxEntry } from "./entries.ts";
import type { OutboxStatus } from "./outbox.ts";
import { getOutbox, readStoredEntries, syncDismissals } from "./use-outbox.ts";
import { sendAndReport } from "./use-purchase-change.ts";
import { warnBeforeUnload } from "./warn-before-unload.ts";

/** Notice about waiting entries: either the device stores them all, or some are only in this page. */
type StorageNotice = "stored" | "unstored" | null;

const NOTICE_TEXTS = {
  stored: "It's saved on this device. We'll keep trying to send it.",
  unstored: "Keep this page open. We couldn't save this on your device, but we'll keep trying to send it.",
};

/** Returns the notice to show. Returns the last one while an entry is being written. @param notice the last notice */
function chooseNotice({ late, beingStored, notStored }: OutboxStatus, notice: StorageNotice): StorageNotice {
  if (late === 0) return null;
  if (notStored > 0) return "unstored";
  return beingStored > 0 ? notice : (notice ?? "stored");
}

/**
 * Restores the entries that an earlier visit left on this device. Sends waiting entries when the connection returns,
 * and notes when the page closes. Notifies the user of late changes once it is known whether the device stores them.
 */
export function useStoredEntries(): void {
  const { id: userId, isImpersonating } = useUser();
  const client = useQueryClient();
  const toast = useToast();
  const showNotice = useEffectEvent((notice: "stored" | "unstored") =>
    toast({ title: "Not saved yet", description: NOTICE_TEXTS[notice] }),
  );
  const resume = useEffectEvent((stored: readonly OutboxEntry[]) => {
    for (const entry of getOutbox(client).restore(stored)) void sendAndReport({ client, toast }, entry, true);
  });
  useEffect(() => {
    const outbox = getOutbox(client);
    let notice = chooseNotice(outbox.getStatus(), null);
    const updateNotice = () => {
      const before = notice;
      notice = chooseNotice(outbox.getStatus(), before);
      // The header of an open lead already shows this.
      const isShown = notice === "stored" && document.querySelector(".detail") !== null;
      if (notice && notice !== before && !isShown) showNotice(notice);
    };
    const leave = () => outbox.flushNotesBeforeClose();
    const hide = () => document.visibilityState === "hidden" && leave();
    const closed = new AbortController();
    const { signal } = closed;
    addEventListener("online", () => outbox.flush(), { signal });
    addEventListener("pagehide", leave, { signal });
    document.addEventListener("visibilitychange", hide, { signal });
    warnBeforeUnload(client);
    const end = outbox.subscribe(updateNotice);
    syncDismissals(client);
    // Store entries made on a page that was not allowed to store any.
    outbox.retryStoring();
    void readStoredEntries({ id: userId, isImpersonating }).then(resume);
    return () => {
      closed.abort();
      end();
      leave();
    };
  }, [client, userId, isImpersonating]);
}
