import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { useToast } from "../ui/toaster.tsx";
import { getChangeQueue, readStoredChanges } from "./changes.ts";
import type { Change, QueueStatus } from "./change-queue.ts";
import { warnBeforeUnload } from "./warn-before-unload.ts";
import { getRefusals } from "./refusals.ts";
import { resumeChange } from "./use-purchase-change.ts";

/** Notice about pending changes: either the device stores them all, or some are only in this page. */
type StorageNotice = "kept" | "unkept" | null;

const NOTICE_TEXTS = {
  kept: "It's saved on this device. We'll keep trying to send it.",
  unkept: "Keep this page open. We couldn't save this on your device, but we'll keep trying to send it.",
};

/** Returns the notice to show. Returns the last one while a change is being written. @param notice the last notice */
function chooseNotice({ late, beingStored, notStored }: QueueStatus, notice: StorageNotice): StorageNotice {
  if (late === 0) return null;
  if (notStored > 0) return "unkept";
  return beingStored > 0 ? notice : (notice ?? "kept");
}

/**
 * Restores the changes and refusals that an earlier visit left on this device. Sends pending changes when the
 * connection returns. Notifies the user of late changes once it is known whether the device stores them.
 */
export function useStoredChanges({
  id: userId,
  isImpersonating,
}: Pick<CurrentUser, "id" | "isImpersonating">): void {
  const client = useQueryClient();
  const toast = useToast();
  const showNotice = useEffectEvent((notice: "kept" | "unkept") =>
    toast({ title: "Not saved yet", description: NOTICE_TEXTS[notice] }),
  );
  const resume = useEffectEvent((stored: readonly Change[]) => {
    for (const change of stored) resumeChange(client, toast, change);
  });
  useEffect(() => {
    const queue = getChangeQueue(client);
    let notice = chooseNotice(queue.getStatus(), null);
    const updateNotice = () => {
      const before = notice;
      notice = chooseNotice(queue.getStatus(), before);
      // The header of an open lead already shows this.
      const isShown = notice === "kept" && document.querySelector(".detail") !== null;
      if (notice && notice !== before && !isShown) showNotice(notice);
    };
    const send = () => queue.flush();
    addEventListener("online", send);
    warnBeforeUnload(client);
    const end = queue.subscribe(updateNotice);
    getRefusals(client).syncDismissals();
    // Store changes made on a page that was not allowed to store any.
    queue.retryStoring();
    // While an admin impersonates, stored changes are neither sent nor shown.
    if (!isImpersonating) {
      void readStoredChanges(userId).then(resume);
      void getRefusals(client).restore(userId);
    }
    return () => {
      removeEventListener("online", send);
      end();
    };
  }, [client, userId, isImpersonating]);
}
