import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { recheckCurrentUser, useUser } from "../auth/current-user.ts";
import { useHoldsFromOtherWindows } from "../market/own-holds.ts";
import { useLiveMarket } from "../market/use-live-market.ts";
import { RefusedChanges } from "../purchases/refused-changes.tsx";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { useStorePipeline } from "./use-store-pipeline.ts";

let wasMounted = false;

/**
 * Checks the session when the user returns from another page. Another user may have signed in in another tab. The lists
 * would then belong to the previous user.
 */
function useRecheckOnReturn(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (wasMounted) void recheckCurrentUser(client);
    wasMounted = true;
  }, [client]);
}

/** Keeps the lists live, announces arrivals to screen readers, and lists refused changes. */
export function LiveLists({ chosen }: { chosen: string | null }) {
  const { watchedRegions, isSuperAdmin } = useUser();
  useRecheckOnReturn();
  const announcement = useLiveMarket({ watched: watchedRegions, chosen, isUnmasked: isSuperAdmin });
  useLivePurchases();
  useStorePipeline();
  useHoldsFromOtherWindows();
  return (
    <>
      <output className="visually-hidden">{announcement}</output>
      <RefusedChanges />
    </>
  );
}
