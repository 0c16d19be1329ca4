import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeQueue, readKeptChanges } from "./change-desk.ts";
import type { Change, QueueStatus } from "./change-queue.ts";
import { guardLeaving } from "./leaving.ts";
import { refusals } from "./refusals.ts";
import { resumeChange } from "./use-purchase-change.ts";

/** Notice about pending changes: either the device stores them all, or some are only in this page. */
type Told = "kept" | "unkept" | null;

const WORDS = {
  kept: "It's kept on this device, and we'll keep trying.",
  unkept: "Keep this page open: this device can't store it. We'll keep trying.",
};

/** Returns the notice to show. Returns the last one while a change is being written. @param told the last notice */
function toTell({ late, unsure, unkept }: QueueStatus, told: Told): Told {
  if (late === 0) return null;
  if (unkept > 0) return "unkept";
  return unsure > 0 ? told : (told ?? "kept");
}

/**
 * Restores the changes and refusals that an earlier visit left on this device. Sends pending changes when the
 * connection returns. Notifies the user of late changes once it is known whether the device stores them.
 */
export function useKeptChanges({
  id: userId,
  isImpersonating,
}: Pick<CurrentUser, "id" | "isImpersonating">): void {
  const client = useQueryClient();
  const toast = useToast();
  const tell = useEffectEvent((told: "kept" | "unkept") =>
    toast({ title: "Not saved yet", description: WORDS[told] }),
  );
  const resume = useEffectEvent((kept: readonly Change[]) => {
    for (const change of kept) resumeChange(client, toast, change);
  });
  useEffect(() => {
    const queue = changeQueue(client);
    let told = toTell(queue.standing(), null);
    const look = () => {
      const before = told;
      told = toTell(queue.standing(), before);
      // The header of an open lead already shows this.
      const isSaid = told === "kept" && document.querySelector(".detail") !== null;
      if (told && told !== before && !isSaid) tell(told);
    };
    const send = () => queue.flush();
    addEventListener("online", send);
    guardLeaving(client);
    const end = queue.subscribe(look);
    refusals(client).followOthers();
    // Store changes made on a page that was not allowed to store any.
    queue.keepAgain();
    // While an admin impersonates, stored changes are neither sent nor shown.
    if (!isImpersonating) {
      void readKeptChanges(userId).then(resume);
      void refusals(client).restore(userId);
    }
    return () => {
      removeEventListener("online", send);
      end();
    };
  }, [client, userId, isImpersonating]);
}
