import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { useToast } from "../ui/toaster.tsx";
import { changeQueue, readKeptChanges } from "./change-desk.ts";
import type { Change, Standing } from "./change-queue.ts";
import { guardLeaving } from "./leaving.ts";
import { refusals } from "./refusals.ts";
import { resumeChange } from "./use-purchase-change.ts";

/** What somebody whose changes wait has to know: that the device has them, or that this page alone has some. */
type Told = "kept" | "unkept" | null;

const WORDS = {
  kept: "It's kept on this device, and we'll keep trying.",
  unkept: "Keep this page open: this device can't store it. We'll keep trying.",
};

/** What is to be known now; what was is still so while anything is being written. @param told what was said last */
function toTell({ late, unsure, unkept }: Standing, told: Told): Told {
  if (late === 0) return null;
  if (unkept > 0) return "unkept";
  return unsure > 0 ? told : (told ?? "kept");
}

/**
 * Takes up the changes that an earlier visit left on this device, and what it heard of others that were refused; sends what
 * waits when the connection returns, and says when changes begin to wait, once it is certain where they do.
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
      // The head of an open lead says it already.
      const isSaid = told === "kept" && document.querySelector(".detail") !== null;
      if (told && told !== before && !isSaid) tell(told);
    };
    const send = () => queue.flush();
    addEventListener("online", send);
    guardLeaving(client);
    const end = queue.subscribe(look);
    refusals(client).followOthers();
    // What was changed on a page that may not keep anything.
    queue.keepAgain();
    // They are not an admin's to send, or to be told of, who looks through somebody's eyes.
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
