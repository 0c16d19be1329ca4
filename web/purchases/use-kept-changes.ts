import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeQueue, isKeptHere, readKeptChanges } from "./change-desk.ts";
import type { Change } from "./change-queue.ts";
import { resumeChange } from "./use-purchase-change.ts";

/**
 * Takes up the changes that an earlier visit left on this device, sends what waits when the connection returns,
 * and says when changes begin to wait.
 */
export function useKeptChanges({
  id: userId,
  isImpersonating,
}: Pick<CurrentUser, "id" | "isImpersonating">): void {
  const client = useQueryClient();
  const toast = useToast();
  const tell = useEffectEvent(() =>
    toast({
      title: "Not saved yet",
      description: isKeptHere(client)
        ? "It's kept on this device, and we'll keep trying."
        : "We'll keep trying for as long as this page is open.",
    }),
  );
  const resume = useEffectEvent((kept: readonly Change[]) => {
    for (const change of kept) resumeChange(client, toast, change);
  });
  useEffect(() => {
    const queue = changeQueue(client);
    let count = queue.lateCount();
    const look = () => {
      const before = count;
      count = queue.lateCount();
      if (before === 0 && count > 0) tell();
    };
    const send = () => queue.flush();
    addEventListener("online", send);
    // They are not an admin's to send who looks through somebody's eyes.
    if (!isImpersonating) void readKeptChanges(userId).then(resume);
    const end = queue.subscribe(look);
    return () => {
      removeEventListener("online", send);
      end();
    };
  }, [client, userId, isImpersonating]);
}
